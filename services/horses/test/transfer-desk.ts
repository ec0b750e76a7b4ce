import type { TestFailure, TestResponse } from '@paddock/testing';
import type { Horse } from '../src/horses/schemas.ts';
import type { Transfer } from '../src/ownership/schemas.ts';
import type { OwnershipTransfer } from '../src/ownership/transfer-schemas.ts';
import type { RunningHorses } from './running-horses.ts';

type Person = ReturnType<RunningHorses['person']>;

/** A horse of which Felix owns 60 % and Eva 40 %; Mia may get it. */
interface SharedHorse {
	readonly id: string;
	readonly felix: Person;
	readonly eva: Person;
	readonly mia: Person;
}

/** Requests transfers and responses them. */
export interface TransferDesk {
	shared(changes?: object): Promise<SharedHorse>;
	/** A shared horse that Felix wants to transfer to Mia. */
	pending(): Promise<SharedHorse & { readonly transferId: string | null }>;
	/** From 1 April 2026. */
	request(
		id: string,
		to: Person,
		token: string,
		changes?: object,
	): Promise<TestResponse<Transfer & TestFailure>>;
	pathOf(id: string, transferId: string | null): string;
	respond(
		step: 'confirm' | 'decline',
		transfer: { readonly id: string; readonly transferId: string | null },
		token: string,
		headers?: Record<string, string>,
	): Promise<TestResponse<OwnershipTransfer & TestFailure>>;
	ownersOf(id: string): Promise<readonly (string | null)[]>;
}

export function transferDesk(horses: RunningHorses): TransferDesk {
	const shared: TransferDesk['shared'] = async (changes = {}) => {
		const [felix, eva, mia] = [horses.person(), horses.person(), horses.person()];
		const owners = [
			{ memberId: felix.memberId, sharePercent: 60 },
			{ memberId: eva.memberId, sharePercent: 40 },
		];
		const { id } = await horses.register({ registeredOn: '2020-01-01', owners, ...changes });
		return { id, felix, eva, mia };
	};
	const request: TransferDesk['request'] = (id, to, token, changes = {}) => {
		const body = { from: '2026-04-01', owners: [{ memberId: to.memberId }], ...changes };
		return horses.call('POST', `/api/horses/${id}/ownership`, { token, body });
	};
	const pathOf: TransferDesk['pathOf'] = (id, transferId) =>
		`/api/horses/${id}/ownership/transfers/${transferId}`;
	return {
		shared,
		request,
		pathOf,
		pending: async () => {
			const made = await shared();
			const { data, text } = await request(made.id, made.mia, made.felix.token);
			if (data.status !== 'PENDING') throw new Error(`not pending: ${text}`);
			return { ...made, transferId: data.transferId };
		},
		respond: (step, { id, transferId }, token, headers = {}) =>
			horses.call('POST', `${pathOf(id, transferId)}/${step}`, { token, headers }),
		ownersOf: async (id) => {
			const { data } = await horses.call<Horse>('GET', `/api/horses/${id}`, { token: horses.officer });
			return data.owners.map(({ memberId }) => memberId);
		},
	};
}
