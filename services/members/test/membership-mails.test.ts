import { expect, test } from '@jest/globals';
import { requestedMails } from '@paddock/testing';
import { useMembers } from './running-members.ts';
import { recordsOf } from './test-records.ts';

const members = useMembers();
const records = recordsOf(() => members);

test('the member is told of the approval and of a suspension with its reason, in the transaction of the change', async () => {
	const pending = await records.createMember();
	const active = await records.step(pending, 'approve');
	await records.step(active, 'suspend', { statusReason: 'Fee unpaid', suspendedUntil: null });
	const mails = await requestedMails(members.db);
	expect(mails.map(({ name, category, recipients }) => [name, category, recipients])).toEqual([
		['member-approved', 'MEMBERSHIP', [{ memberId: pending.id }]],
		['member-suspended', 'MEMBERSHIP', [{ memberId: pending.id }]],
	]);
	expect(JSON.stringify(mails[1]?.de)).toContain('Fee unpaid');
	// A step that is refused tells nobody.
	await expect(records.step(active, 'approve')).rejects.toThrow();
	expect(await requestedMails(members.db)).toHaveLength(2);
});
