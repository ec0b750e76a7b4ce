import type { CommonErrorCode } from '@paddock/contract';
import { type AttemptFailure, attemptFailures } from '@paddock/upstream';

export interface FailureRow extends AttemptFailure {
	/** The code of the response to the client, from which its status follows. */
	readonly code: CommonErrorCode;
	/** Whether the metrics count it as a failure of an upstream attempt. */
	readonly isUpstream: boolean;
	/** For the client; by default that of the code. */
	readonly message?: string;
}

const closedEarly = 'The service closed the connection before it responded.';
const unsent = { blamesInstance: false, spendsBudget: false };

/** All failures between the gateway and a service, with status and metric; their consequences for attempts are in libs/upstream. */
export const failureTable = {
	unreachable: {
		...{ ...attemptFailures.unreachable, code: 'UPSTREAM_ERROR', isUpstream: true },
		message: 'The service cannot be reached.',
	},
	connectTimeout: {
		...{ ...attemptFailures.connectTimeout, code: 'UPSTREAM_ERROR', isUpstream: true },
		message: 'The service does not accept connections in time.',
	},
	responseTimeout: { ...attemptFailures.responseTimeout, code: 'UPSTREAM_TIMEOUT', isUpstream: true },
	reset: { ...attemptFailures.reset, code: 'UPSTREAM_ERROR', isUpstream: true, message: closedEarly },
	staleConnection: {
		...{ ...attemptFailures.staleConnection, code: 'UPSTREAM_ERROR', isUpstream: true },
		message: closedEarly,
	},
	invalidResponse: { ...attemptFailures.invalidResponse, code: 'UPSTREAM_ERROR', isUpstream: true },
	/** The response body was truncated or stalled for too long; the client has received a part of it. */
	cutOff: { ...attemptFailures.reset, retry: 'never', code: 'UPSTREAM_ERROR', isUpstream: true },
	clientAborted: { ...unsent, retry: 'never', code: 'REQUEST_TIMEOUT', isUpstream: false },
	/** The instance's circuit breaker is open; nothing was sent. */
	circuitOpen: { ...unsent, retry: 'anyMethod', code: 'CIRCUIT_OPEN', isUpstream: true },
	noInstances: { ...unsent, retry: 'never', code: 'SERVICE_UNAVAILABLE', isUpstream: true },
	/** The instance's bulkhead and its queue are full; nothing was sent. */
	overloaded: { ...unsent, retry: 'anyMethod', code: 'OVERLOADED', isUpstream: true },
} as const satisfies Record<string, FailureRow>;

export type FailureKind = keyof typeof failureTable;

/** Why an upstream attempt failed: a failure, or a response whose status means that the service is unavailable. */
export type FailureLabel = FailureKind | 'failureStatus';

/** An attempt that failed before any byte of a response was sent to the client. */
export class UpstreamFailure extends Error {
	override readonly name = 'UpstreamFailure';
	readonly kind: FailureKind;

	constructor(kind: FailureKind, cause?: unknown) {
		super(`upstream failure: ${kind}`, cause === undefined ? undefined : { cause });
		this.kind = kind;
	}
}
