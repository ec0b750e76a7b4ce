import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { eventually } from '@paddock/testing';
import express from 'express';
import { createHealthHistory } from './health-history.ts';
import { openHealthStream } from './health-stream.ts';

const now = () => new Date();
let stream: ReturnType<typeof openHealthStream>;
const checks = new Map<string, () => Promise<boolean>>();
let url: string;
let close: () => void;

beforeEach(async () => {
	stream = openHealthStream({
		view: { read: async () => ({ health: { status: 'UP', components: {} }, at: now() }) },
		history: createHealthHistory({ now, changesMax: 1 }),
		logger: silentLogger(),
		intervalMs: 1,
		listenersMax: 10,
		listenersPerClientMax: 10,
	});
	const app = express();
	app.get('/:check', (req, res) => {
		const seesDetails = checks.get(req.params.check) ?? (async () => false);
		stream.add(res, { network: 'test', seesDetails });
	});
	const server = app.listen(0, '127.0.0.1');
	await once(server, 'listening');
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	close = () => server.close();
});
afterEach(() => {
	stream.close();
	close();
});

interface Listener {
	events(): number;
	heartbeats(): number;
}

/** What a listener with this check of its token receives. */
async function listen(check: string): Promise<Listener> {
	const { body } = await fetch(`${url}/${check}`);
	let text = '';
	const read = async (): Promise<void> => {
		for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) text += part;
	};
	void read();
	const count = (part: string) => text.split(part).length - 1;
	return { events: () => count('event: health\n'), heartbeats: () => count('\n:\n') };
}

test('the check of a token delays the events of its own listener only, which come one at a time', async () => {
	const held = Promise.withResolvers<boolean>();
	let calls = 0;
	checks.set('held', () => {
		calls += 1;
		return held.promise;
	});
	const waiting = await listen('held');
	const other = await listen('quick');
	await eventually('the other listener receives events', () => other.events() >= 3);
	expect([waiting.events(), calls]).toEqual([0, 1]);
	held.resolve(true);
	await eventually('the events that follow the check', () => waiting.events() >= 3);
});

test('a check that fails replaces the events of its own listener only', async () => {
	checks.set('failing', () => Promise.reject(new Error('a bug')));
	const failing = await listen('failing');
	const other = await listen('quick');
	await eventually('the other listener receives events', () => other.events() >= 3);
	expect([failing.events(), other.heartbeats()]).toEqual([0, 0]);
});
