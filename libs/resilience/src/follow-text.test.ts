import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '../../testing/src/eventually.ts';
import { sharedText } from './follow-text.ts';
import type { SharedText } from './shared-text.ts';

let text: SharedText | undefined;
afterEach(() => text?.close());

function follow() {
	const state = { stored: 'a', down: false, reads: 0, notified: [] as string[] };
	const read = async () => {
		state.reads += 1;
		if (state.down) throw new Error('down');
		return { text: state.stored, version: state.stored };
	};
	const write = async (next: string) => {
		state.stored = next;
		return true;
	};
	const ignore = () => undefined;
	const shared = sharedText(
		{ next: read, read, write },
		{ periodMs: 1, onFailure: ignore, onRecovery: ignore, random: () => 0 },
	);
	text = shared;
	void shared.follow(async (stored) => void state.notified.push(stored.text ?? ''));
	const moreReads = async () => {
		const before = state.reads;
		await eventually('further reads', () => state.reads > before + 3);
	};
	return { state, shared, moreReads };
}

test('the listener is called for a change, not for each read', async () => {
	const { state, moreReads } = follow();
	await moreReads();
	expect(state.notified).toEqual(['a']);
	state.stored = 'b';
	await moreReads();
	expect(state.notified).toEqual(['a', 'b']);
});

test('the listener is called again after a failure and after a write of this process', async () => {
	const { state, shared, moreReads } = follow();
	await moreReads();
	state.down = true;
	await eventually('the failure', () => shared.stale());
	state.down = false;
	await eventually('the recovery', () => !shared.stale());
	expect(state.notified).toEqual(['a', 'a']);
	await shared.write('a', 'a');
	await moreReads();
	expect(state.notified).toEqual(['a', 'a', 'a']);
});
