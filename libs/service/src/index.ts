export { bodyFields, type WithInstants, whenValid, withInstants } from './fields/body-fields.ts';
export { bounded } from './fields/field-errors.ts';
export {
	code,
	count,
	countedAt,
	countList,
	countsBy,
	day,
	emailAddress,
	familyName,
	givenNames,
	givenNamesBody,
	iso3166Part2,
	isoAlpha2,
	lookupQuery,
	nullableEmailAddress,
	nullableLine,
	nullableParagraphs,
	uniqueItems,
	webAddress,
} from './fields/field-schemas.ts';
export { identifier } from './fields/identifier.ts';
export { deadLetter, jobQueue } from './fields/job-schemas.ts';
export {
	collectionParameters,
	filterValues,
	pageParameters,
	pageRequest,
	pageSchema,
	sortParameter,
} from './fields/paging.ts';
export {
	id,
	idParameters,
	instant,
	isoDate,
	lengthIssue,
	line,
	normalisableText,
	paragraphs,
	queryBoolean,
	queryInteger,
	recordTimes,
	searchText,
	version,
} from './fields/schemas.ts';
export { clientNetwork } from './http/client-network.ts';
export {
	type Client,
	type ClientOf,
	createClientOf,
	type ForwardingHeader,
	forwardingHeaders,
	unusableElements,
} from './http/client-of.ts';
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
} from './http/http-messages.ts';
export { type HttpServer, listen } from './http/http-server.ts';
export type { ProtocolRefusal } from './http/protocol-refusals.ts';
export { setContext } from './http/request-context.ts';
export { endServerSpan, methods, spanMethod, spanPath } from './http/server-span.ts';
export { type AuthKeys, openAuthKeys } from './process/auth-keys.ts';
export { createService, strictExpress, trustedProxyOf } from './process/create-service.ts';
export {
	type AdjustableLogLevel,
	adjustableLogLevel,
	changeLogLevel,
	loggerFields,
	logLevelChange,
} from './process/log-level.ts';
export { type Maintenance, openMaintenance } from './process/maintenance.ts';
export { advertisedAddress, openRegistry } from './process/registry.ts';
export {
	advertisedInstance,
	type ProcessParts,
	type ProcessServer,
	runProcess,
	type StartedProcess,
	StartFailure,
} from './process/run-process.ts';
export { type ContextDeps, type OpenedService, runService } from './process/run-service.ts';
export { type Access, administratorsOnly, isInternalRoute, officersOnly } from './routes/access.ts';
export { contentTag, noneMatch, requireVersion } from './routes/conditions.ts';
export { envelopeOf, failureSchema } from './routes/envelope.ts';
export { renamed, superseded, withPresentNames } from './routes/former-names.ts';
export { ignoresUnknown, parseBody } from './routes/input.ts';
export { mountRoutes } from './routes/mount-routes.ts';
export { movedRoute, redirection, redirectionSchema } from './routes/moved-route.ts';
export type { Writers } from './routes/readers-and-writers.ts';
export { guardErrorResponse, sendError, toApiError } from './routes/response.ts';
export {
	anyMediaType,
	type Call,
	type ParameterSchema,
	type RecordCall,
	type Route,
	routesWith,
	type UpdateCall,
	updatesWith,
} from './routes/route.ts';
export type { LaggingDeps } from './routes/route-handlers.ts';
export type { SharedFreshness } from './routes/shared-freshness.ts';
export type { Update } from './routes/update.ts';
export * from './settings/index.ts';
