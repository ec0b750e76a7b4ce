import { useStreamLaneOnly } from './lanes-under-test.ts';

// The same promises, kept by the other engine: what these files send without a body goes through the lane for replays
// when they run by themselves, and through the one for streams here. Which lane a request takes must not show.
useStreamLaneOnly();

await import('./circuit-breaking.test.ts');
await import('./cut-off-answers.test.ts');
await import('./cut-off-breakers.test.ts');
await import('./endurance.test.ts');
await import('./half-open.test.ts');
await import('./proxied-answers.test.ts');
await import('./proxied-requests.test.ts');
await import('./retries.test.ts');
await import('./stale-connections.test.ts');
await import('./streaming.test.ts');
await import('./upstream-answers.test.ts');
await import('./upstream-connections.test.ts');
await import('./upstream-failures.test.ts');
