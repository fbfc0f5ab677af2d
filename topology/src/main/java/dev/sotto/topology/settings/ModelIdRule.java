package dev.sotto.topology.settings;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.utils.Utils;

/**
 * Where a model's id comes from, and which partition is its home. It never comes from the value:
 * which model a slot belongs to must be public.
 *
 * @param source where the id comes from
 * @param name the id itself ({@code constant}), its beginning ({@code partition}), or the header's
 *     name ({@code header}); not used by {@code key}
 * @param limits which ids there may be, and how many; used by {@code key} and {@code header}
 */
public record ModelIdRule(Source source, String name, Limits limits) {
  private static final int LONGEST = 200;

  /** A rule without limits. */
  public ModelIdRule(Source source, String name) {
    this(source, name, Limits.NONE);
  }

  /**
   * Which models there may be. Both are public, and decided by coordinates of records alone.
   *
   * @param allowed ids; empty where any may be
   * @param most models of a partition, at least 1
   * @param retired ids that are learned no more; those of them that never were never will be
   */
  public record Limits(Set<String> allowed, long most, Set<String> retired) {
    /** Any number of any. */
    public static final Limits NONE = new Limits(Set.of(), Long.MAX_VALUE);

    public Limits {
      allowed = Set.copyOf(allowed);
      retired = Set.copyOf(retired);
      if (most < 1) {
        throw new IllegalArgumentException("most must be at least 1, but was " + most);
      }
    }

    /** Of models none of which is retired. */
    public Limits(Set<String> allowed, long most) {
      this(allowed, most, Set.of());
    }

    boolean admits(String id) {
      return allowed.isEmpty() || allowed.contains(id);
    }
  }

  /** Where the id of a record's model comes from. */
  public enum Source {
    /** One id for all; requires one partition, or layout ordered or rounds. */
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
  }

  /** The models that there are, for people. */
  public String sentence() {
    return switch (source) {
      case CONSTANT -> name.equals("model") ? "one model" : "model " + name;
      case PARTITION -> "a model per partition";
      case KEY -> "a model per key";
      case HEADER -> "a model per value of header " + name;
    };
  }

  /** This routing as text: what must not change while a state lives. */
  public String describe(int partitions) {
    return source.configName() + (source == Source.KEY ? "" : " " + name) + " over " + partitions
        + (partitions == 1 ? " partition" : " partitions");
  }

  /** Whether all records are of one model, wherever they lie. */
  public boolean isOne() {
    return source == Source.CONSTANT;
  }

  /** The model of all records of a partition; empty where each names its own. */
  public Optional<String> idAt(int partition) {
    return Optional.ofNullable(routing(partition, partition + 1).modelOf(null, null));
  }

  /** Whether several models may live in one partition. */
  public boolean sharesPartitions() {
    return source == Source.KEY || source == Source.HEADER;
  }

  /** The name of the header to read, or null. */
  public String header() {
    return source == Source.HEADER ? name : null;
  }

  /** The partition in which a model lives, of a number of them. */
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

  /** Whether records of an id are learned from, as far as the rule alone tells. */
  boolean learns(String modelId) {
    return source == Source.CONSTANT ? name.equals(modelId) : !limits.retired().contains(modelId);
  }

  /** The routing of one partition, of a number of them. */
  public ModelRouting routing(int partition, int partitions) {
    return switch (source) {
      case CONSTANT -> (key, header) -> name;
      case PARTITION -> {
        String id = name + "-" + partition;
        yield (key, header) -> id;
      }
      case KEY, HEADER -> new Homes(this, partition, partitions);
    };
  }

  /** Models by key or header that live in a partition. */
  private record Homes(ModelIdRule rule, int partition, int partitions) implements ModelRouting {
    @Override
    public String modelOf(byte[] key, byte[] modelHeader) {
      return rule.atHome(rule.source == Source.KEY ? key : modelHeader, partition, partitions);
    }

    @Override
    public long most() {
      return rule.limits.most();
    }

    @Override
    public Set<String> retired() {
      return rule.limits.retired();
    }
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
      return id.chars().anyMatch(Character::isISOControl) || !limits.admits(id) ? null : id;
    } catch (CharacterCodingException noText) {
      return null;
    }
  }
}
