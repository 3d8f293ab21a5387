/** Questions to a person: a queue by id, in which each is settled once (LL-33). */
import type { EventOf } from '../event/index.js';
import { keep } from './copy.js';
import type { Approval } from './item.js';
import { addItem, changeTool, findTool, locate, type Scene } from './scene.js';
import { addRow, closeRow, findRow, isOpen, keyOf, rowAt } from './table.js';

export function requestApproval(scene: Scene, event: EventOf<'approval-request'>): void {
  const { state } = scene;
  const key = keyOf(scene.number, event.id);
  if (findRow(state.approvals, key) !== undefined) return;
  const at = locate(scene, event);
  const tool = findTool(scene, event.toolId);
  const number = state.approvals.rows.size;
  const approval: Approval = { ...at, id: event.id, status: 'pending', request: keep(event), tool };
  state.approvals = addRow(state.approvals, key, approval);
  // Plans and questions have no card of their own, so they stand for themselves.
  if (tool === undefined) addItem(scene, at.thread, { kind: 'approval', number });
  changeTool(scene, tool, (copy) => {
    copy.approval = number;
    if (copy.endedAt === undefined) copy.status = 'waiting';
  });
}

export function resolveApproval(scene: Scene, event: EventOf<'approval-resolve'>): void {
  settle(scene, event.id, { status: statusOf(event), resolution: keep(event), settledAt: event.at });
}

export function withdrawApproval(scene: Scene, event: EventOf<'approval-withdraw'>): void {
  settle(scene, event.id, { status: 'withdrawn', withdrawn: event.why ?? 'agent', settledAt: event.at });
}

function statusOf({ decision }: EventOf<'approval-resolve'>): Approval['status'] {
  if (decision === 'allow' || decision === 'allow-always') return 'allowed';
  return decision === 'deny' ? 'denied' : 'answered';
}

function settle(scene: Scene, id: string, settlement: Partial<Approval>): void {
  const { state } = scene;
  const number = findRow(state.approvals, keyOf(scene.number, id));
  const approval = rowAt(state.approvals, number);
  if (number === undefined || approval === undefined || !isOpen(state.approvals, number)) return;
  state.approvals = closeRow(state.approvals, number, { ...approval, ...settlement });
  if (rowAt(state.tools, approval.tool)?.approval !== number) return;
  changeTool(scene, approval.tool, (tool) => {
    if (tool.status === 'waiting') tool.status = 'running';
  });
}
