/** The picture of what a tool does. */
import {
  Bot,
  Brain,
  FilePenLine,
  FileText,
  FolderInput,
  Globe,
  type LucideIcon,
  Search,
  SquareTerminal,
  Trash2,
  Wrench,
} from 'lucide-preact';
import type { ToolKind } from '../../../../event/index.js';

const ICONS: Record<ToolKind, LucideIcon> = {
  read: FileText,
  edit: FilePenLine,
  delete: Trash2,
  move: FolderInput,
  search: Search,
  execute: SquareTerminal,
  think: Brain,
  fetch: Globe,
  other: Wrench,
};

export function ToolIcon({ kind, isAgent = false }: { kind: ToolKind; isAgent?: boolean }) {
  const Icon = isAgent ? Bot : ICONS[kind];
  return <Icon class="tool-icon" size={16} aria-hidden="true" />;
}
