/** How the page looks and calls, who may come in, and the keys. */
import { useStore } from '@nanostores/preact';
import { $notifying, askToNotify } from '../../state/attention.js';
import { $health } from '../../state/sessions.js';
import { $theme, THEMES, type Theme } from '../../state/theme.js';
import { BackLink } from '../part/back-link.js';
import { BrowsersButton } from '../sessions/browsers-button.js';
import { KeyList } from './key-list.js';
import { PhoneDoor } from './phone-door.js';

const WORDS: Record<Theme, string> = { system: 'As the system', light: 'Light', dark: 'Dark' };

export default function SettingsPage() {
  const theme = useStore($theme);
  const health = useStore($health);
  return (
    <div class="settings">
      <header class="session-head">
        <BackLink />
        <div class="session-head-text">
          <h1>Settings</h1>
          <p class="faint">Of this browser{health && ` · glassbox ${health.version}`}</p>
        </div>
      </header>
      <div class="settings-body">
        <section>
          <h2>Theme</h2>
          <fieldset class="switch">
            <legend class="sr-only">Theme</legend>
            {THEMES.map((name) => (
              <label key={name}>
                <input type="radio" name="theme" checked={theme === name} onChange={() => $theme.set(name)} />
                <span>{WORDS[name]}</span>
              </label>
            ))}
          </fieldset>
        </section>
        <section>
          <h2>Notifications</h2>
          <Notifying />
        </section>
        <section>
          <h2>Phone</h2>
          <PhoneDoor />
        </section>
        <section>
          <h2>Other browsers</h2>
          <p>
            A link lets one more browser in, here or where a port is forwarded to. Those that are in can be sent away.
          </p>
          <BrowsersButton isNamed />
        </section>
        <section>
          <h2>Keys</h2>
          <KeyList />
        </section>
      </div>
    </div>
  );
}

const NOTIFYING: Record<NotificationPermission, string> = {
  granted:
    'The system tells you when an agent waits and this page is not in front. They are switched off where the browser keeps its permissions.',
  denied:
    'The browser refuses them for this page. Allow them where it keeps its permissions; the title and the icon of the tab count what waits all the same.',
  default: 'The system can tell you when an agent waits and this page is not in front.',
};

function Notifying() {
  const now = useStore($notifying);
  if (typeof Notification === 'undefined')
    return <p>This browser has none for this page. The title and the icon of the tab count what waits.</p>;
  if (now === undefined) return null;
  return (
    <>
      <p>{NOTIFYING[now]}</p>
      {now === 'default' && (
        <button type="button" class="button" onClick={() => void askToNotify()}>
          Allow notifications
        </button>
      )}
    </>
  );
}
