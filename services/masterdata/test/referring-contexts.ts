import {
	registryOfStubs,
	type SettableRegistry,
	type StubService,
	stubService,
	stubToken,
} from '@paddock/testing';
import { type RunningMasterdata, runMasterdata } from './running-masterdata.ts';

export const referring = ['members-service', 'horses-service', 'events-service'] as const;
type Referring = (typeof referring)[number];

/** Master data beside stubs of the contexts that refer to its records. */
export interface ReferringContexts {
	readonly masterdata: RunningMasterdata;
	readonly registry: SettableRegistry;
	readonly stubs: Readonly<Record<Referring, StubService>>;
	/** References that a service reports, by its name. */
	readonly counts: Map<Referring, number>;
	close(): Promise<void>;
}

export async function runReferringContexts(): Promise<ReferringContexts> {
	const counts = new Map<Referring, number>();
	const countOf = (service: Referring) => stubService(() => ({ count: counts.get(service) ?? 0 }));
	const stubs = {
		'auth-service': await stubService(() => stubToken),
		'members-service': await countOf('members-service'),
		'horses-service': await countOf('horses-service'),
		'events-service': await countOf('events-service'),
	};
	const registry = registryOfStubs(stubs);
	const contexts = ['auth', 'members', 'masterdata', 'horses', 'events'] as const;
	const masterdata = await runMasterdata({ CONTEXTS: [...contexts], PEER_TIMEOUT_MS: 1_000 }, registry);
	return {
		masterdata,
		registry,
		stubs,
		counts,
		close: async () => {
			await masterdata.close();
			await Promise.all(Object.values(stubs).map((stub) => stub.close()));
		},
	};
}

/** A stub that does something before its first response. */
export function once(act: () => Promise<unknown>): Parameters<StubService['misbehave']>[0] {
	let hasActed = false;
	return (_req, _res, _body, respond) => {
		if (hasActed) respond();
		else {
			hasActed = true;
			void act().then(respond);
		}
	};
}
