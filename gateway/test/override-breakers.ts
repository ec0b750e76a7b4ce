import { randomUUID } from 'node:crypto';
import { expectFailure } from './expect-failure.ts';
import type { ReceivedResponse, SentRequest } from './send-request.ts';
import type { BenchGateway } from './test-bench.ts';

/** The administrator who sets the overrides. */
export const administratorId = randomUUID();

/** Sends an override, e.g. `horses/open`, by default as an administrator. */
export function override(
	gateway: BenchGateway,
	action: string,
	body: unknown,
	sent: Partial<SentRequest> = {},
): Promise<ReceivedResponse> {
	return gateway.send({
		method: 'POST',
		path: `/actuator/breakers/${action}`,
		headers: { 'Content-Type': 'application/json' },
		body: typeof body === 'string' ? body : JSON.stringify(body),
		token: gateway.identity.sign({ roles: ['ADMIN'], userId: administratorId }),
		...sent,
	});
}

/** Expects a complete failure response with this code. */
export function expectRefusal({ status, headers, body }: ReceivedResponse, code: string): void {
	expectFailure({ status, headers: headers as Record<string, string>, body }, status, code);
}
