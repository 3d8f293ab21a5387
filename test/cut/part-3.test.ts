import { testCuts } from './suite.js';

testCuts(3);
