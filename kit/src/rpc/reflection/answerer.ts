import type {
  ServerReflectionRequest as Request,
  ServerReflectionResponse as Response,
} from '@gatehouse/proto/grpc/reflection';
import { Status } from '../../fault.ts';
import type { ContractFile, ContractFiles } from './contract-files.ts';

type Answer = Partial<Response>;

/**
 * Makes the function that answers the requests of one stream. A file comes with all its direct and indirect imports, except files that this
 * stream has already sent.
 */
export function answerer(files: ContractFiles, services: readonly string[]): (request: Request) => Response {
  const sent = new Set<ContractFile>();

  function withImports(file: ContractFile): Answer {
    const found = new Set([file]);
    for (const { imports } of found)
      for (const name of imports) {
        const imported = files.named.get(name);
        if (imported !== undefined && !sent.has(imported)) found.add(imported);
      }
    for (const each of found) sent.add(each);
    return { file_descriptor_response: { file_descriptor_proto: [...found].map(({ bytes }) => bytes) } };
  }

  function fileOr(file: ContractFile | undefined, wanted: string): Answer {
    return file === undefined ? errorResponse(Status.NOT_FOUND, `not found: ${wanted}`) : withImports(file);
  }

  function answer(request: Request): Answer {
    const { file_by_filename, file_containing_symbol, file_containing_extension } = request;
    const { all_extension_numbers_of_type, list_services } = request;
    if (file_by_filename != null) return fileOr(files.named.get(file_by_filename), file_by_filename);
    if (file_containing_symbol != null)
      return fileOr(files.declaring.get(file_containing_symbol), file_containing_symbol);
    if (file_containing_extension != null) {
      const { containing_type, extension_number } = file_containing_extension;
      const file = files.extending.get(containing_type)?.get(extension_number);
      return fileOr(file, `extension ${extension_number} of ${containing_type}`);
    }
    if (all_extension_numbers_of_type != null) return extensionsOf(files, all_extension_numbers_of_type);
    if (list_services != null)
      return { list_services_response: { service: services.map((name) => ({ name })) } };
    return errorResponse(Status.INVALID_ARGUMENT, 'the request has no kind that reflection answers');
  }

  return (request) => ({
    valid_host: request.host,
    original_request: request,
    file_descriptor_response: null,
    all_extension_numbers_response: null,
    list_services_response: null,
    error_response: null,
    ...answer(request),
  });
}

function extensionsOf(files: ContractFiles, type: string): Answer {
  if (!files.declaring.has(type)) return errorResponse(Status.NOT_FOUND, `not found: ${type}`);
  const extension_number = [...(files.extending.get(type)?.keys() ?? [])];
  return { all_extension_numbers_response: { base_type_name: type, extension_number } };
}

function errorResponse(error_code: number, error_message: string): Answer {
  return { error_response: { error_code, error_message } };
}
