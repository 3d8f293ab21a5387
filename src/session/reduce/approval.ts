/** Questions to a person: a queue by id, in which each is settled once. */
import type { EventOf } from '../../event/index.js';
import type { Approval } from '../item.js';
import { addRow, closeRow, findRow, isOpen, keyOf, rowAt } from '../table/table.js';
import { keep } from './copy.js';
import { addItem, changeTool, findTool, locate, type ReduceContext } from './reduce-context.js';

export function requestApproval(context: ReduceContext, event: EventOf<'approval-request'>): void {
  const { state } = context;
  const key = keyOf(context.number, event.id);
  if (findRow(state.approvals, key) !== undefined) return;
  const at = locate(context, event);
  const tool = findTool(context, event.toolId);
  const number = state.approvals.rows.size;
  const approval: Approval = { ...at, id: event.id, status: 'pending', request: keep(event), tool };
  state.approvals = addRow(state.approvals, key, approval);
  // Plans and questions have no card of their own, so they stand for themselves.
  if (tool === undefined) addItem(context, at.thread, { kind: 'approval', number });
  changeTool(context, tool, (copy) => {
    copy.approval = number;
    if (copy.endedAt === undefined) copy.status = 'waiting';
  });
}

export function resolveApproval(context: ReduceContext, event: EventOf<'approval-resolve'>): void {
  settle(context, event.id, { status: statusOf(event), resolution: keep(event), settledAt: event.at });
}

export function withdrawApproval(context: ReduceContext, event: EventOf<'approval-withdraw'>): void {
  settle(context, event.id, { status: 'withdrawn', withdrawn: event.why ?? 'agent', settledAt: event.at });
}

function statusOf({ decision }: EventOf<'approval-resolve'>): Approval['status'] {
  if (decision === 'allow' || decision === 'allow-always') return 'allowed';
  if (decision === 'deny') return 'denied';
  return decision === 'answer' ? 'answered' : 'settled';
}

function settle(context: ReduceContext, id: string, settlement: Partial<Approval>): void {
  const { state } = context;
  const number = findRow(state.approvals, keyOf(context.number, id));
  const approval = rowAt(state.approvals, number);
  if (number === undefined || approval === undefined || !isOpen(state.approvals, number)) return;
  state.approvals = closeRow(state.approvals, number, { ...approval, ...settlement });
  if (rowAt(state.tools, approval.tool)?.approval !== number) return;
  changeTool(context, approval.tool, (tool) => {
    if (tool.status === 'waiting') tool.status = 'running';
  });
}
