/** Home leads to the very beginning, though rows get their heights only when they are drawn, and the first ones may come later. */
import type { RefObject, TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { VirtualizerHandle } from 'virtua';
import { isTyping } from './key.js';

interface Options {
  list: RefObject<VirtualizerHandle>;
  /** Nothing more comes in front. */
  isWhole: boolean;
  letGo: () => void;
}

export function useHomeKey({ list, isWhole, letGo }: Options) {
  const isOnTheWay = useRef(false);
  useEffect(() => {
    if (isWhole && isOnTheWay.current) list.current?.scrollToIndex(0);
    if (isWhole) isOnTheWay.current = false;
  }, [isWhole]);
  return (event: TargetedKeyboardEvent<HTMLElement>) => {
    const { key, currentTarget: frame } = event;
    isOnTheWay.current = false;
    if (key !== 'Home' || isTyping(event) || frame.scrollHeight <= frame.clientHeight) return;
    event.preventDefault();
    letGo();
    isOnTheWay.current = !isWhole;
    list.current?.scrollToIndex(0);
  };
}
