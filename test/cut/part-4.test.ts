import { testCuts } from './suite.js';

testCuts(4);
