/** What is seen from outside of a program of the family: one database, and a log in which it tells when it asks somebody. */
import type { Log, Logged } from '../presence.js';

export const familyFolders = (name: string): string[] => [`$XDG_DATA_HOME/${name}`, `~/.local/share/${name}`];

/**
 * As opencode 1.18.33 and Kilo 7.7.7 write it, with the level that they have unless told:
 * `timestamp=… level=INFO run=f5a99a0c message=asking id=per_1ef2 permission=bash patterns="…"`.
 */
export const familyLog = (name: string): Log => ({
  folders: familyFolders(name).map((folder) => `${folder}/log`),
  files: /\.log$/,
  read(line) {
    const by = /\brun=(\w+)/.exec(line)?.[1];
    const at = Date.parse(/^timestamp=(\S+)/.exec(line)?.[1] ?? '');
    if (by === undefined || Number.isNaN(at)) return undefined;
    const sessionId = /\b(?:session\.id|message=created id)=(ses_\w+)/.exec(line)?.[1];
    const parentId = /\bparentID=(ses_\w+)/.exec(line)?.[1];
    const said = /\bmessage=(asking id|replied requestID|rejected requestID)=(\w+)/.exec(line);
    if (sessionId === undefined && !said) return undefined;
    const told: Logged = { by, at };
    if (sessionId !== undefined) told.sessionId = sessionId;
    if (parentId !== undefined) told.parentId = parentId;
    const [, what, id = ''] = said ?? [];
    return what === undefined ? told : { ...told, says: what === 'asking id' ? 'asks' : 'answered', id };
  },
});
