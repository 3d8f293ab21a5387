/** Recognises the Agent Client Protocol. */
import { surest } from '../detect.js';
import { members, string } from '../field.js';

/** Less sure than an agent that recognises itself in the handshake. */
export const detect = surest((value) => {
  const { jsonrpc, method, result, params } = members(value);
  if (jsonrpc !== '2.0') return 0;
  if (members(result).agentCapabilities !== undefined) return 0.6;
  return method === 'session/update' && string(members(members(params).update).sessionUpdate) !== undefined ? 0.5 : 0;
});
