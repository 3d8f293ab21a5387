/** Starts the page. */
import { render } from 'preact';
import './style/index.css';
import { App } from './component/app.js';
import { watchNotifying } from './state/attention.js';
import { watchLocation } from './state/route.js';
import { watchSessions } from './state/sessions.js';

const root = document.getElementById('app');
if (root) {
  watchLocation();
  watchNotifying();
  void watchSessions();
  render(<App />, root);
}
