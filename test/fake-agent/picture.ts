/** A small true picture, 16 by 16 and blue, as PNG. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR4nGOwD79GEmIY1TCqYfhqAADspGwQJIsIggAAAABJRU5ErkJggg==',
  'base64',
);
