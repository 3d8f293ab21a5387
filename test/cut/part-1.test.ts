import { testCuts } from './suite.js';

testCuts(1);
