import { personErasure, personExport } from '@paddock/context';
import type { Peers } from '@paddock/peers';
import type { z } from 'zod';
import type { PersonRequest } from './store.ts';

type Subject = Pick<PersonRequest, 'userId' | 'memberId' | 'id'>;

/** Another context that stores personal data. */
export interface PersonalContext {
	readonly name: string;
	/** @throws ApiError as `Peer.require` */
	export(subject: Subject, signal: AbortSignal): Promise<z.output<typeof personExport>>;
	/** May be repeated. @throws ApiError as `Peer.require` */
	erase(subject: Subject, signal: AbortSignal): Promise<z.output<typeof personErasure>>;
}

/** The contexts of this project with a database, besides this one. */
export const personalContexts = ['members', 'masterdata', 'horses', 'events'] as const;

export function personalContext(name: string, peer: Peers['peer']): PersonalContext {
	const context = peer(`${name}-service`);
	const requestOf = ({ id, userId, memberId }: Subject, signal: AbortSignal, step: 'export' | 'erase') =>
		({
			path: `/internal/persons/${userId}/${step}`,
			query: { member: memberId ?? undefined },
			credentials: 'service',
			context: { requestId: id, signal },
		}) as const;
	return {
		name,
		export: (subject, signal) =>
			context.require({ ...requestOf(subject, signal, 'export'), schema: personExport }),
		erase: (subject, signal) =>
			context.require({ ...requestOf(subject, signal, 'erase'), body: {}, schema: personErasure }),
	};
}
