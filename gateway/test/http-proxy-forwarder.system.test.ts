import { useHttpProxyForwarder } from './forwarder-under-test.ts';

// The guarantees that these files check with undici when run separately, checked with the other forwarder.
useHttpProxyForwarder();

await import('./circuit-breaking.test.ts');
await import('./truncated-responses.test.ts');
await import('./truncated-response-breakers.test.ts');
await import('./endurance.test.ts');
await import('./half-open.test.ts');
await import('./mutual-tls.test.ts');
await import('./proxied-responses.test.ts');
await import('./proxied-requests.test.ts');
await import('./refused-responses.test.ts');
await import('./retries.test.ts');
await import('./stale-connections.test.ts');
await import('./streaming.test.ts');
await import('./upstream-responses.test.ts');
await import('./upstream-connections.test.ts');
await import('./upstream-failures.test.ts');
