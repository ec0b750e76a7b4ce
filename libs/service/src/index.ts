export { type Access, administratorsOnly, isInternalRoute, officersOnly } from './access.ts';
export { type AuthKeys, openAuthKeys } from './auth-keys.ts';
export { bodyFields } from './body-fields.ts';
export { clientNetwork } from './client-network.ts';
export {
	type Client,
	type ClientOf,
	createClientOf,
	type ForwardingHeader,
	forwardingHeaders,
	unusableElements,
} from './client-of.ts';
export { contentTag, noneMatch, refuseServerOwnedChanges, requireVersion } from './conditions.ts';
export { count, countList, countsBy } from './counts.ts';
export { createService } from './create-service.ts';
export { envelopeOf, failureSchema } from './envelope.ts';
export {
	code,
	day,
	emailAddress,
	familyName,
	givenNames,
	givenNamesBody,
	iso3166Part2,
	isoAlpha2,
	nullableEmailAddress,
	nullableLine,
	nullableParagraphs,
	uniqueItems,
	webAddress,
} from './field-schemas.ts';
export {
	endsWithConnection,
	endWith,
	framingFault,
	hasBody,
	hasUnknownCoding,
	hostFault,
	isResponseSent,
	markResponseSent,
	offersWebSocket,
} from './http-messages.ts';
export { type HttpServer, listen } from './http-server.ts';
export { identifier } from './identifier.ts';
export { ignoresUnknown, parseBody } from './input.ts';
export {
	type AdjustableLogLevel,
	adjustableLogLevel,
	changeLogLevel,
	type LogLevelChange,
	loggerFields,
	logLevelChange,
	logLevelPath,
} from './log-level.ts';
export { lookupQuery } from './lookup-query.ts';
export { createMaintenance, type Maintenance } from './maintenance.ts';
export { mountRoutes } from './mount-routes.ts';
export { movedRoute } from './moved-route.ts';
export type { ProtocolRefusal } from './protocol-refusals.ts';
export { advertisedAddress, openRegistry } from './registry.ts';
export { setContext } from './request-context.ts';
export { guardErrorResponse, sendError, toApiError } from './response.ts';
export {
	anyMediaType,
	type Call,
	type ParameterSchema,
	type RecordCall,
	type Route,
	routesWith,
} from './route.ts';
export type { LaggingDeps } from './route-handlers.ts';
export {
	advertisedInstance,
	type ProcessContext,
	type ProcessServer,
	runProcess,
	type StartedProcess,
	StartFailure,
} from './run-process.ts';
export { type OpenContext, type OpenedService, runService } from './run-service.ts';
export {
	id,
	idParameters,
	instant,
	isoDate,
	lengthIssue,
	line,
	normalisableText,
	pageParameters,
	pageRequest,
	pageSchema,
	queryBoolean,
	queryInteger,
	recordTimes,
	searchText,
	sortParameter,
	version,
} from './schemas.ts';
export { endServerSpan, methods, spanMethod, spanPath } from './server-span.ts';
export * from './settings-index.ts';
export type { SharedFreshness } from './shared-freshness.ts';
export { strictExpress, trustedProxyOf } from './strict-express.ts';
export { whenValid } from './when-valid.ts';
export { withInstants } from './with-instants.ts';
