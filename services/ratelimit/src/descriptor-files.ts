/** The reading and matching of files of descriptors, for the command line: no service runs. */
export type {
  DescriptorDefinition,
  DomainDefinition,
  LimitDefinition,
} from './descriptors/file/definitions.ts';
export { type Problem, problemText } from './descriptors/file/problem.ts';
export { type Configuration, readConfiguration } from './descriptors/file/read-configuration.ts';
export { descriptorTree, type Entry, type Match } from './descriptors/match/descriptor-tree.ts';
export { withoutReplaced } from './descriptors/match/without-replaced.ts';
