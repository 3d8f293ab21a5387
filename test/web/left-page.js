/** What a page tries that somebody else left under glassbox's address. It runs in the browser, so it is no module of the tests. */

/** @type {Window | null} */
let opened = null;

document.querySelector('button')?.addEventListener('click', () => {
  opened = window.open('/new');
});

function reached() {
  if (!opened || opened.closed) return 'closed';
  try {
    return opened.document.documentElement.outerHTML;
  } catch {
    return 'refused';
  }
}

/** The document of glassbox, as far as a script gets it. */
async function readDocument() {
  const fetched = await (await fetch('/')).text();
  const frame = document.createElement('iframe');
  const isLoaded = new Promise((resolve) => frame.addEventListener('load', resolve));
  frame.src = '/';
  document.body.append(frame);
  await isLoaded;
  return { fetched, framed: frame.contentDocument?.documentElement.outerHTML ?? '' };
}

/** Comes in with the key that glassbox keeps for its own page. */
async function openWith(ticket) {
  const { origin } = location;
  const own = await new Promise((resolve) => {
    const opening = indexedDB.open('glassbox');
    opening.onsuccess = () => {
      const asked = opening.result.transaction('key').objectStore('key').get('own');
      asked.onsuccess = () => resolve(asked.result);
    };
  });
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']);
  const pageKey = encode(await crypto.subtle.exportKey('raw', pair.publicKey));
  const { boot } = await (await fetch(`/api/hello?origin=${origin}&nonce=x`)).json();
  const said = ['glassbox', 'open', origin, boot, ticket, own.id, pageKey].join('\n');
  const signing = { name: 'ECDSA', hash: 'SHA-256' };
  const signature = encode(await crypto.subtle.sign(signing, own.key, new TextEncoder().encode(said)));
  const body = JSON.stringify({ boot, pageKey, browser: own.id, signature });
  const headers = { 'content-type': 'application/json' };
  return (await fetch('/api/login', { method: 'POST', headers, body })).status;
}

function encode(bytes) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

async function registerWorker() {
  const { serviceWorker } = navigator;
  const isInControl = new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve));
  await serviceWorker.register('/worker.js');
  await isInControl;
}

Object.assign(window, { reached, readDocument, openWith, registerWorker });
