import { describe, expect, test } from '@jest/globals';
import { callers, type SendAs } from './callers.ts';
import { api, tokens } from './demo-system.ts';
import { recordsMadeBy } from './made-records.ts';
import { roleRows } from './role-rows.ts';

const send: SendAs = (caller, { method, path, body }) => {
	const token = tokens.get(caller);
	return api(method, path, {
		...(token === undefined ? {} : { token }),
		...(body === undefined ? {} : { body }),
	});
};
const made = recordsMadeBy(send);

describe('the rights of each role through the gateway', () => {
	test.each(roleRows)('%s', async (_name, call, statuses) => {
		const seen: Record<string, number> = {};
		for (const caller of callers) seen[caller] = (await send(caller, await call(made, caller))).status;
		expect(seen).toEqual(Object.fromEntries(callers.map((caller, index) => [caller, statuses[index]])));
	});
});
