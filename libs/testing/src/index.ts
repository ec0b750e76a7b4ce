export { type ApiClient, type ApiResponse, createApiClient } from './api-client.ts';
export { describeWithBrowser, openPage, startBrowser, type WatchedPage } from './browser.ts';
export { certainPart } from './certain-difference.ts';
export { type ChildService, type ChildServiceOptions, startChildService } from './child-service.ts';
export { compileCache } from './compile-cache.ts';
export { type ConsulAgent, startConsulAgent } from './consul-agent.ts';
export { deliveryReports } from './delivery-reports.ts';
export { describeOnTmpfs, mountTmpfs, type Tmpfs } from './describe-on-tmpfs.ts';
export { describeWithConsul } from './describe-with-consul.ts';
export { describeUnless, describeWithPrograms } from './describe-with-programs.ts';
export { type DnsServer, startDnsServer } from './dns-server.ts';
export { eventually } from './eventually.ts';
export { freePort, freePorts } from './free-port.ts';
export { checkLostDatabase } from './lost-database.ts';
export { type MailServer, type ReceivedMail, startMailServer } from './mail-server.ts';
export { migratedTemplate, openTestPool } from './migrated-template.ts';
export { createMovingClock, type MovingClock } from './moving-clock.ts';
export { namedSchemas } from './named-schemas.ts';
export { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts';
export { patient, patientGateway, patientMs } from './patient.ts';
export { type Pooler, startPooler } from './pooler.ts';
export { descendantsOf } from './process-tree.ts';
export { type Program, startProgram } from './program.ts';
export { rawRequest } from './raw-request.ts';
export { acceptsClients, acceptsConnections, respondsOk } from './readiness.ts';
export { describeWithRedis, type RedisServer, startRedisServer } from './redis-server.ts';
export { requestedMails } from './requested-mails.ts';
export { createSettableRegistry, type SettableRegistry } from './settable-registry.ts';
export { startStopwatch } from './stopwatch.ts';
export {
	foundRecords,
	registryOfStubs,
	type StubService,
	stubService,
	stubToken,
} from './stub-service.ts';
export { startDatabaseProxy, startTcpProxy } from './tcp-proxy.ts';
export {
	createTestAuthority,
	replaceCertificate,
	type TestAuthority,
	type TestCertificate,
} from './test-authority.ts';
export { startTestContext, type TestContext, useRunning } from './test-context.ts';
export { createTestDatabase, fillTestDatabase, type TestDatabase } from './test-database.ts';
export {
	startTestService,
	type TestFailure,
	type TestResponse,
	type TestService,
} from './test-service.ts';
export { createTestIdentity, type TestIdentity } from './test-tokens.ts';
export { timesOf } from './times-of.ts';
export { tracesOf } from './traces-of.ts';
export {
	neverRespond,
	type RawUpstream,
	type RecordedRequest,
	type Respond,
	rawUpstream,
	recordingUpstream,
	respondOk,
	respondWithEnvelope,
	respondWithStatus,
	type TestUpstream,
} from './upstreams.ts';
export { waitingForLocks } from './waiting-for-locks.ts';
