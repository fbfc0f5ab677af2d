package dev.sotto.serdes.registry;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.function.Function;

/**
 * Ids of schemas in headers of records. Serializers that put them there write the bare body as the
 * value. Put before the value again, they make it what one without headers would have written:
 *
 * <table>
 * <caption>Forms of a value</caption>
 * <tr><td>0, number (4 bytes, big end first), body</td><td>{@link #NUMBER}</td></tr>
 * <tr><td>1, GUID (16 bytes, big end first), body</td><td>{@link #GUID}</td></tr>
 * <tr><td>2 or 3, the same, which message of its schema the body is, body</td>
 *     <td>out of a header with more behind the id, as serializers of Protobuf write it</td></tr>
 * <tr><td>4, number, length of a name (a varint), name of the message, body</td>
 *     <td>out of two headers of Apicurio's serializers of Protobuf</td></tr>
 * <tr><td>5, number, body; 6, number, length and name of the message, body</td>
 *     <td>out of that header of Apicurio's that {@link SchemaIds} does not state</td></tr>
 * </table>
 *
 * <p>Before a body, without a header, Apicurio's numbers may have 8 bytes: then the first four are
 * zero, as no number is.
 */
public final class SchemaHeaders {
  /** Of Confluent's serializers: the same bytes as before a body. */
  public static final String CONFLUENT = "__value_schema_id";
  /** Of Apicurio's: 8 bytes, big end first; the number that its Confluent-compatible paths take. */
  public static final String CONTENT_ID = "apicurio.value.contentId";
  /** Of Apicurio's: 8 bytes of another numbering, which only its own paths know. */
  public static final String GLOBAL_ID = "apicurio.value.globalId";

  /** Of Apicurio's, beside the id: the name of the Protobuf message, without its package. */
  public static final String MESSAGE = "apicurio.protobuf.type";

  /** Names of all of them. */
  public static final Set<String> NAMES = Set.of(CONFLUENT, CONTENT_ID, GLOBAL_ID, MESSAGE);

  /** First byte of a value whose schema has a number. */
  public static final byte NUMBER = 0;
  /** First byte of a value whose schema has a GUID. */
  public static final byte GUID = 1;
  /** The length of what stands before a body, by its first byte. */
  public static final int NUMBER_BYTES = 5;
  /** The same of {@link #GUID}. */
  public static final int GUID_BYTES = 17;

  private static final byte WITH_MESSAGE = 2; // added to one of those
  private static final byte NAMED = 4;
  private static final byte OTHER = 5;
  private static final byte OTHER_NAMED = 6;
  private static final int EIGHT_BYTES = 9; // with the byte before them
  private static final int LONGEST_NAME = 255;
  private static final byte UNKNOWN = (byte) 0xff; // the first byte of no form

  private SchemaHeaders() {}

  /**
   * A value with the id before it that a header names; as it is where none does. A header of
   * another form gives a value that cannot be read.
   *
   * @param ids what the numbers before bodies are
   * @param headers the value of the last header of a name, null where there is none
   * @param value null stays null
   */
  static byte[] framed(SchemaIds ids, Function<String, byte[]> headers, byte[] value) {
    if (value == null) {
      return null;
    }
    byte[] id = headers.apply(CONFLUENT);
    if (id != null) {
      return join(ids.areApicurios() ? new byte[] {UNKNOWN} : confluent(id), value);
    }
    boolean global = ids == SchemaIds.APICURIO_GLOBAL;
    byte[] own = headers.apply(global ? GLOBAL_ID : CONTENT_ID);
    if (own != null) {
      return join(named(number(NUMBER, own, ids), headers.apply(MESSAGE)), value);
    }
    byte[] other = headers.apply(global ? CONTENT_ID : GLOBAL_ID);
    if (other == null) {
      return value;
    }
    return ids.areApicurios()
        ? join(named(number(OTHER, other, ids), headers.apply(MESSAGE)), value)
        : join(new byte[] {UNKNOWN}, value);
  }

  /** Whether a value of {@link #framed} had a header that is of no known form. */
  public static boolean isOfUnknownForm(byte[] framed) {
    return framed != null && framed.length > 0 && framed[0] == UNKNOWN;
  }

  /**
   * Where the body begins, or what says which message it is.
   *
   * @param messages whether bodies are one of several messages
   * @return -1 where the value is of no known form
   */
  public static int bodyOf(SchemaIds ids, byte[] value, boolean messages) {
    if (value.length < NUMBER_BYTES) {
      return -1;
    }
    if (ids.areApicurios()) {
      return apicurioBodyOf(value, messages);
    }
    if (value[0] < 0 || value[0] > (messages ? NAMED : GUID)) {
      return -1;
    }
    int body = isByGuid(value) ? GUID_BYTES : NUMBER_BYTES;
    return body > value.length ? -1 : body;
  }

  private static int apicurioBodyOf(byte[] value, boolean messages) {
    boolean known = value[0] == NUMBER
        || value[0] == OTHER
        || messages && (value[0] == NAMED || value[0] == OTHER_NAMED);
    if (!known) {
      return -1;
    }
    int number = ByteBuffer.wrap(value).getInt(1);
    if (number == 0 && value[0] == NUMBER && value.length >= EIGHT_BYTES) {
      return ByteBuffer.wrap(value).getInt(NUMBER_BYTES) > 0 ? EIGHT_BYTES : -1;
    }
    return number > 0 ? NUMBER_BYTES : -1;
  }

  /**
   * What a number before the body at a place is.
   *
   * @param value with a number of a known form
   */
  public static SchemaId.By numberOf(SchemaIds ids, byte[] value) {
    return value[0] == OTHER || value[0] == OTHER_NAMED ? ids.other() : ids.number();
  }

  /** Whether a value of a known form has a GUID. */
  public static boolean isByGuid(byte[] value) {
    return value[0] < NAMED && (value[0] & GUID) != 0;
  }

  /** Whether a value of a known form has the name of its message. */
  public static boolean isNamed(byte[] value) {
    return value[0] == NAMED || value[0] == OTHER_NAMED;
  }

  private static byte[] confluent(byte[] id) {
    int bytes = id.length == 0 || id[0] > GUID || id[0] < 0
        ? Integer.MAX_VALUE
        : isByGuid(id) ? GUID_BYTES : NUMBER_BYTES;
    if (id.length < bytes) {
      return new byte[] {UNKNOWN};
    }
    if (id.length == bytes) {
      return id;
    }
    byte[] longer = id.clone();
    longer[0] += WITH_MESSAGE;
    return longer;
  }

  /** With the name of a message, where there is one. */
  private static byte[] named(byte[] number, byte[] message) {
    if (message == null || number[0] == UNKNOWN) {
      return number;
    }
    if (message.length > LONGEST_NAME) {
      return new byte[] {UNKNOWN};
    }
    byte low = (byte) message.length; // as a varint
    byte[] length = low >= 0 ? new byte[] {low} : new byte[] {low, (byte) (message.length >>> 7)};
    byte[] named = join(number, length);
    named[0] = number[0] == OTHER ? OTHER_NAMED : NAMED;
    return join(named, message);
  }

  private static byte[] number(byte first, byte[] header, SchemaIds ids) {
    if (header.length == Long.BYTES) {
      long id = ByteBuffer.wrap(header).getLong();
      if (id == (int) id && (id > 0 || !ids.areApicurios())) {
        return ByteBuffer.allocate(NUMBER_BYTES).put(first).putInt((int) id).array();
      }
    }
    return new byte[] {UNKNOWN};
  }

  private static byte[] join(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length)
        .put(first)
        .put(second)
        .array();
  }
}
