package dev.sotto.topology.fetch;

import dev.sotto.serdes.registry.SchemaHeaders;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How much of one record is taken.
 *
 * @param bytes of a key, or a value; of longer ones this number and one more, which is too many for
 *     every decoder
 * @param headers names of those that count
 */
public record RecordLimits(int bytes, Set<String> headers) {
  /** The setting of the longest value that a decoder reads; needed only above {@link #USUAL}. */
  public static final String LONGEST_VALUE = "sotto.reader.value.bytes";

  /** The setting that names the header with the id of the model. */
  public static final String MODEL_HEADER = "sotto.reader.model.header";

  /** Both. */
  public static final List<String> SETTINGS = List.of(LONGEST_VALUE, MODEL_HEADER);

  /** Bytes of a value or key that are always taken. */
  public static final int USUAL = 16 << 20;

  /**
   * Bytes of all headers of a record that are taken as they come; beyond, only those that count.
   */
  static final int HEADERS = 64 << 10;

  /** Bytes of one of those that count. */
  static final int HEADER = 4 << 10;

  static RecordLimits of(Map<String, ?> config) {
    Object longest = config.get(LONGEST_VALUE);
    Object model = config.get(MODEL_HEADER);
    Set<String> headers = new HashSet<>(SchemaHeaders.NAMES);
    if (model != null) {
      headers.add(model.toString());
    }
    return new RecordLimits(
        longest == null ? USUAL : Math.max(USUAL, Integer.parseInt(longest.toString())), headers);
  }
}
