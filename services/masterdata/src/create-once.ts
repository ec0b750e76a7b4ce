import { once } from '@paddock/database';
import type { Principal } from '@paddock/identity';
import type { MasterdataQueryable } from './database-schema.ts';
import type { MasterdataDeps } from './deps.ts';

interface Creation {
	readonly params?: unknown;
	readonly body: unknown;
	readonly principal: Principal;
	readonly idempotencyKey: string | undefined;
	readonly now: Date;
}

/**
 * Inserts one record in a transaction, once per Idempotency-Key of the caller.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED; what `insert` throws.
 */
export function createOnce<Result>(
	{ db }: Pick<MasterdataDeps, 'db'>,
	operationId: string,
	{ params, body, principal, idempotencyKey: key, now }: Creation,
	insert: (transaction: MasterdataQueryable) => Promise<Result>,
): Promise<Result> {
	return once(
		db,
		{ key, userId: principal.userId, operationId, input: { params, body }, now },
		{ check: async () => undefined, effect: insert },
	);
}
