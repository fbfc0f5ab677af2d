package dev.sotto.serdes.avro;

/**
 * Bytes that are no record of the expected kind. The message names the record, what is wrong and
 * what to do; it holds nothing of the record's content.
 */
public final class UnreadableRecordException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UnreadableRecordException(String record, String fault, String remedy, Throwable cause) {
    super(record + " cannot be read: " + fault + "; " + remedy, cause);
  }
}
