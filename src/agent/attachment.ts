/** What a person gives to an agent beside the words of a prompt: read before, and of the type that its content shows. */
import type { Attachment } from '../event/index.js';

export const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export const PICTURES_AND_PDF = [...PICTURES, 'application/pdf'] as const;

export type AttachableType = (typeof PICTURES_AND_PDF)[number];

export interface GivenFile {
  /** Without a path. */
  name: string;
  mimeType: AttachableType;
  bytes: number;
  /** Base64. */
  data: string;
}

export interface Said {
  text: string;
  attachments?: readonly GivenFile[] | undefined;
}

/** As events tell it: what was given, and nothing of what is in it. */
export function describeGiven(files: readonly GivenFile[] | undefined): Attachment[] | undefined {
  if (!files?.length) return undefined;
  return files.map(({ name, mimeType, bytes }) => ({
    kind: isPicture(mimeType) ? 'image' : 'document',
    name,
    mimeType,
    bytes,
  }));
}

export function isPicture(mimeType: AttachableType): boolean {
  return mimeType !== 'application/pdf';
}

/** For agents whose stream repeats the words of a prompt and not what was attached to them. */
export interface AttachedWords {
  give(said: Said): void;
  /** What was given with these words; once. */
  take(text: string): Attachment[] | undefined;
}

export function createAttachedWords(): AttachedWords {
  const given: Said[] = [];
  return {
    give(said) {
      if (said.attachments?.length) given.push(said);
    },
    take(text) {
      const at = given.findIndex((said) => said.text.trim() === text.trim());
      return at < 0 ? undefined : describeGiven(given.splice(at, 1)[0]?.attachments);
    },
  };
}
