/** Starts the page. */
import { render } from 'preact';
import './style/index.css';
import { App } from './component/app.js';
import { watchLocation } from './state/route.js';
import { watchSessions } from './state/sessions.js';

const root = document.getElementById('app');
if (root) {
  watchLocation();
  void watchSessions();
  render(<App />, root);
}
