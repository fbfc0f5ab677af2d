package dev.sotto.topology.settings;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.common.utils.Utils;

/**
 * Where a model's id comes from, and which partition is its home. It never comes from the value:
 * which model a slot belongs to must be public.
 *
 * @param source where the id comes from
 * @param name the id itself ({@code constant}), its beginning ({@code partition}), or the header's
 *     name ({@code header}); not used by {@code key}
 */
public record ModelIdRule(Source source, String name) {
  private static final int LONGEST = 200;

  /** Where the id of a record's model comes from. */
  public enum Source {
    /** One id for all; requires one partition, or the funnel. */
    CONSTANT("constant"),
    /** One model a partition: the name, a hyphen, the partition's number. */
    PARTITION("partition"),
    /** The record's key as UTF-8 text. */
    KEY("key"),
    /** The last header of the configured name as UTF-8 text. */
    HEADER("header");

    private final String configName;

    Source(String configName) {
      this.configName = configName;
    }

    /** The name in configurations. */
    public String configName() {
      return configName;
    }

    /** The source of a configured name, or empty where there is none of that name. */
    public static Optional<Source> named(String name) {
      return Arrays.stream(values())
          .filter(each -> each.configName.equals(name))
          .findFirst();
    }
  }

  /** This routing as text: what must not change while a state lives. */
  public String describe(int partitions) {
    return source.configName() + (source == Source.KEY ? "" : " " + name) + " over " + partitions
        + (partitions == 1 ? " partition" : " partitions");
  }

  /** The name of the header to read, or null. */
  public String header() {
    return source == Source.HEADER ? name : null;
  }

  /**
   * The model that a record belongs to; empty where it belongs to none.
   *
   * @param key of the record, may be null
   * @param headerValue the last value of {@link #header()}, may be null
   * @param partition where the record lies, of so many
   */
  public Optional<String> modelOf(byte[] key, byte[] headerValue, int partition, int partitions) {
    return Optional.ofNullable(routing(partition, partitions).modelOf(key, headerValue));
  }

  /** The partition in which a model lives, of so many. */
  public int home(byte[] modelId, int partitions) {
    return switch (source) {
      case CONSTANT -> 0;
      case PARTITION -> {
        String text = new String(modelId, StandardCharsets.UTF_8);
        yield Integer.parseInt(text.substring(text.lastIndexOf('-') + 1)) % partitions;
      }
      case KEY, HEADER -> Utils.toPositive(Utils.murmur2(modelId)) % partitions;
    };
  }

  /** The routing of one partition, of so many. */
  public ModelRouting routing(int partition, int partitions) {
    return switch (source) {
      case CONSTANT -> (key, header) -> name;
      case PARTITION -> {
        String id = name + "-" + partition;
        yield (key, header) -> id;
      }
      case KEY -> (key, header) -> atHome(key, partition, partitions);
      case HEADER -> (key, header) -> atHome(header, partition, partitions);
    };
  }

  private String atHome(byte[] bytes, int partition, int partitions) {
    if (bytes == null
        || bytes.length == 0
        || bytes.length > LONGEST
        || home(bytes, partitions) != partition) {
      return null;
    }
    try {
      String id =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return id.chars().anyMatch(Character::isISOControl) ? null : id;
    } catch (CharacterCodingException noText) {
      return null;
    }
  }
}
