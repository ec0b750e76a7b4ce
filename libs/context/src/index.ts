export { contextOpener } from './context-opener.ts';
export { historyRoute } from './history-route.ts';
export { mailSender, requestMail } from './mail-requests.ts';
export {
	erasePerson,
	exportPerson,
	type Person,
	type PersonalData,
	type PersonalTable,
	personErasure,
	personExport,
	personRoutes,
} from './personal-data.ts';
export { type ReferenceCounts, referencesRoute } from './references-route.ts';
export { deleteSentReminders, isUnsent, sendReminders, sentReminders } from './sent-reminders.ts';
export {
	changesAbout,
	changesAboutWithout,
	changesInvolving,
	changesMade,
	changesOfRecordsMade,
	repeatedRequests,
} from './shared-personal-data.ts';
