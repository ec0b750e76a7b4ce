export { actingForMember, type ChangeAuthor, changeAuthor } from './change-author.ts';
export { accountSteps, becomes, type CollectionStep, type ContextCollection } from './collection-step.ts';
export {
	apiError,
	type CommonErrorCode,
	commonErrors,
	refuseInvalid,
	sharedErrors,
} from './common-errors.ts';
export {
	type ContextDescription,
	type ReferencedRecord,
	type ReferencedType,
	referencedTypes,
	referencesPath,
	referencesScope,
} from './context-description.ts';
export {
	ApiError,
	type ApiErrorOptions,
	type BaseDto,
	type ErrorDefinition,
	errorEnvelope,
	errorFactory,
	errorPicker,
	errorTable,
	type FieldError,
	type FieldErrorCode,
	fieldErrorCodes,
	successEnvelope,
} from './failure.ts';
export {
	countedMax,
	invalidCursor,
	type Page,
	type PageRequest,
	pageOf,
	rankedMax,
	type SortCriterion,
} from './pagination.ts';
