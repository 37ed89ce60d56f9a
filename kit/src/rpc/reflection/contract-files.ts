import { readFileSync } from 'node:fs';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  FileDescriptorProto,
} from '@gatehouse/proto/google/protobuf/descriptor';
import { compiledContracts } from '@gatehouse/proto/schema';

/** The compiled .proto files, indexed as reflection looks them up. */
export interface ContractFiles {
  /** By path, such as `kit/v1/json.proto`. */
  readonly named: ReadonlyMap<string, ContractFile>;
  /** By the full name of a declaration: a service, a method, a message, a field, an enum or one of its values. */
  readonly declaring: ReadonlyMap<string, ContractFile>;
  /** By the full name of the extended message, and the number of the extension. */
  readonly extending: ReadonlyMap<string, ReadonlyMap<number, ContractFile>>;
}

export interface ContractFile {
  readonly name: string;
  /** The FileDescriptorProto as buf wrote it, including options that this process does not know. */
  readonly bytes: Uint8Array;
  readonly imports: readonly string[];
}

interface Index {
  readonly named: Map<string, ContractFile>;
  readonly declaring: Map<string, ContractFile>;
  readonly extending: Map<string, Map<number, ContractFile>>;
}

export function readContractFiles(): ContractFiles {
  const index: Index = { named: new Map(), declaring: new Map(), extending: new Map() };
  for (const bytes of encodedFiles(readFileSync(compiledContracts))) addFile(index, bytes);
  return index;
}

/** The items of FileDescriptorSet.file. */
function encodedFiles(set: Uint8Array): Uint8Array[] {
  const reader = new BinaryReader(set);
  const files: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === 1) files.push(reader.bytes());
    else reader.skip(wireType, field);
  }
  return files;
}

function addFile(index: Index, bytes: Uint8Array): void {
  const decoded = FileDescriptorProto.decode(bytes);
  const file = { name: decoded.name ?? '', bytes, imports: decoded.dependency };
  const scope = decoded.package ?? '';
  index.named.set(file.name, file);
  for (const service of decoded.service) {
    const name = qualified(scope, service.name);
    index.declaring.set(name, file);
    for (const method of service.method) index.declaring.set(qualified(name, method.name), file);
  }
  for (const message of decoded.message_type) addMessage(index, file, scope, message);
  for (const each of decoded.enum_type) addEnum(index, file, scope, each);
  for (const extension of decoded.extension) addExtension(index, file, scope, extension);
}

function addMessage(index: Index, file: ContractFile, scope: string, message: DescriptorProto): void {
  const name = qualified(scope, message.name);
  index.declaring.set(name, file);
  for (const field of message.field) index.declaring.set(qualified(name, field.name), file);
  for (const oneof of message.oneof_decl) index.declaring.set(qualified(name, oneof.name), file);
  for (const nested of message.nested_type) addMessage(index, file, name, nested);
  for (const nested of message.enum_type) addEnum(index, file, name, nested);
  for (const extension of message.extension) addExtension(index, file, name, extension);
}

/** Enum values are siblings of their enum in scope. */
function addEnum(index: Index, file: ContractFile, scope: string, declared: EnumDescriptorProto): void {
  index.declaring.set(qualified(scope, declared.name), file);
  for (const value of declared.value) index.declaring.set(qualified(scope, value.name), file);
}

function addExtension(index: Index, file: ContractFile, scope: string, field: FieldDescriptorProto): void {
  index.declaring.set(qualified(scope, field.name), file);
  const extended = (field.extendee ?? '').replace(/^\./, '');
  const known = index.extending.get(extended) ?? new Map<number, ContractFile>();
  index.extending.set(extended, known.set(field.number ?? 0, file));
}

function qualified(scope: string, name: string | null | undefined): string {
  return scope === '' ? (name ?? '') : `${scope}.${name ?? ''}`;
}
