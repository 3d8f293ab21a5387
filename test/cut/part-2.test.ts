import { testCuts } from './suite.js';

testCuts(2);
