import type { Metrics } from '@paddock/telemetry';
import { Counter, Gauge } from 'prom-client';
import type { SignInSource } from './sign-in-subject.ts';

type AttemptOutcome = 'succeeded' | 'failed' | 'delayed' | 'locked' | 'addressLimited';

/** Sign-in metrics of the throttle, the password queue and administrators. */
export interface SignInMetrics {
	attempt(source: SignInSource['kind'], outcome: AttemptOutcome): void;
	/** A lock has begun, or an address has reached its limit. */
	locked(subject: SignInSource['kind'] | 'address'): void;
	released(): void;
	queueRefused(): void;
	/** Reads the length of the queue at each scrape. */
	watchQueue(waiting: () => number): void;
}

export function createSignInMetrics({ registry }: Pick<Metrics, 'registry'>): SignInMetrics {
	const registers = [registry];
	const attempts = new Counter({
		name: 'auth_sign_in_attempts_total',
		help: 'Attempts to prove a password or second factor, by source (unknownDevice, knownDevice, session, secondFactor) and outcome.',
		labelNames: ['source', 'outcome'] as const,
		registers,
	});
	const locks = new Counter({
		name: 'auth_sign_in_locks_total',
		help: 'Locks that began, by subject: an account for its unknown devices, a known device, a session, second factors, a client address.',
		labelNames: ['subject'] as const,
		registers,
	});
	const releases = new Counter({
		name: 'auth_account_releases_total',
		help: 'Accounts whose locks an administrator ended.',
		registers,
	});
	const refused = new Counter({
		name: 'auth_password_queue_refused_total',
		help: 'Password hashes that were refused because the queue was full or the caller had left.',
		registers,
	});
	let waiting = () => 0;
	new Gauge({
		name: 'auth_password_queue_waiting',
		help: 'Password hashes that wait for their turn.',
		registers,
		collect() {
			this.set(waiting());
		},
	});
	return {
		attempt: (source, outcome) => attempts.inc({ source, outcome }),
		locked: (subject) => locks.inc({ subject: subject === 'unknownDevice' ? 'account' : subject }),
		released: () => releases.inc(),
		queueRefused: () => refused.inc(),
		watchQueue: (read) => {
			waiting = read;
		},
	};
}
