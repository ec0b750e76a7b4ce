import { randomUUID } from 'node:crypto';
import { expectFailure } from './expect-failure.ts';
import type { SentAnswer, SentRequest } from './send-request.ts';
import type { BenchGateway } from './test-bench.ts';

/** The administrator who sets the overrides. */
export const administratorId = randomUUID();

/** Sends an administrator's order, e.g. `horses/open`, unless told otherwise. */
export function override(
	gateway: BenchGateway,
	action: string,
	body: unknown,
	sent: Partial<SentRequest> = {},
): Promise<SentAnswer> {
	return gateway.send({
		method: 'POST',
		path: `/actuator/breakers/${action}`,
		headers: { 'Content-Type': 'application/json' },
		body: typeof body === 'string' ? body : JSON.stringify(body),
		token: gateway.identity.sign({ roles: ['ADMIN'], userId: administratorId }),
		...sent,
	});
}

/** Checks that an answer is a failure of this code, whole as every failure is. */
export function expectRefusal({ status, headers, body }: SentAnswer, code: string): void {
	expectFailure({ status, headers: headers as Record<string, string>, body }, status, code);
}
