/** A picture for a phone's camera: it lives two minutes, works once, and who comes by it is asked about here. */
import { useEffect, useState } from 'preact/hooks';
import type { GuestLink, GuestRecord } from '../../../../client/index.js';
import { client, messageOf } from '../../state/server.js';
import { useNow } from '../../state/use-now.js';
import { visible } from '../../text/visible.js';
import { waitedText } from '../../text/waited.js';
import { QrPicture } from './qr-picture.js';

const LOOK_MS = 1000;

export function PhoneDoor() {
  const [door, setDoor] = useState<GuestLink>();
  const [guests, setGuests] = useState<GuestRecord[]>([]);
  const [said, setSaid] = useState('');
  const [problem, setProblem] = useState('');
  const now = useNow(LOOK_MS, door !== undefined);
  const isOver = door !== undefined && door.endsAt <= now && guests.length === 0;

  const attempt = (act: () => Promise<void>) => {
    setProblem('');
    return act().catch((error: unknown) => setProblem(messageOf(error)));
  };
  const open = () =>
    attempt(async () => {
      setSaid('');
      setDoor(await client.createGuestLink());
    });
  const answer = ({ id, name }: GuestRecord, isLetIn: boolean) =>
    attempt(async () => {
      await client.answerGuest(id, isLetIn);
      setGuests([]);
      setDoor(undefined);
      setSaid(`${visible(name)} ${isLetIn ? 'is in.' : 'was sent away.'}`);
    });

  useEffect(() => {
    if (!door) return;
    let isGone = false;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      await client.guests().then(
        (waiting) => !isGone && setGuests(waiting),
        () => {},
      );
      if (!isGone) timer = setTimeout(() => void look(), LOOK_MS);
    };
    void look();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [door]);

  return (
    <>
      <p>
        Point its camera at a picture, and confirm here that it is yours. It works where this server is reached over
        https.
      </p>
      {guests.map((guest) => (
        <div key={guest.id} class="guest" role="alertdialog" aria-label="Somebody wants to come in">
          <p>
            <b>{visible(guest.name)}</b> wants to come in. Does it show <b class="guest-mark">{guest.mark}</b>?
          </p>
          <button type="button" class="button primary" onClick={() => void answer(guest, true)}>
            Yes, let it in
          </button>
          <button type="button" class="button" onClick={() => void answer(guest, false)}>
            No, send it away
          </button>
        </div>
      ))}
      {door && guests.length === 0 && !isOver && (
        <figure class="qr">
          <QrPicture text={door.link} />
          <figcaption class="faint">
            Leads to <code>{door.link.replace(/#.*/, '')}</code>, once, for another{' '}
            <span class="clock">{waitedText(door.endsAt - now)}</span>
          </figcaption>
        </figure>
      )}
      {(!door || isOver) && (
        <button type="button" class="button" onClick={() => void open()}>
          {isOver ? 'It is too old. Show another one' : 'Show a QR code'}
        </button>
      )}
      {said !== '' && <p role="status">{said}</p>}
      {problem !== '' && (
        <p class="error-text" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
