package dev.sotto.app.config;

import dev.sotto.app.http.HttpSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Utils;

/** The rules of single settings. Each reads as half a sentence: "must be ...". */
final class Rules {
  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]+");
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  /** 64 hexadecimal digits, or JSON. */
  private static final Pattern KEY = Pattern.compile("(?s)\\s*([0-9a-fA-F]{64}\\s*|\\{.*)");

  private static final int LONGEST_MODEL_ID = 200;
  private static final int LONGEST_PARAMETER = 1000;

  private Rules() {}

  /**
   * A rule in words, and whether a parsed value keeps it.
   *
   * @param hint what else to say of a value that does not
   */
  record Rule(String words, Predicate<Object> kept, Function<Object, String> hint)
      implements Validator {
    Rule(String words, Predicate<Object> kept) {
      this(words, kept, value -> "");
    }

    @Override
    public void ensureValid(String name, Object value) {
      if (!kept.test(value)) {
        throw new ConfigException("must be " + words);
      }
    }

    @Override
    public String toString() {
      return words;
    }
  }

  static Rule any() {
    return new Rule("", value -> true);
  }

  static Rule numbers(String words, DoublePredicate kept) {
    return new Rule(words, value -> kept.test(((Number) value).doubleValue()));
  }

  static Rule finite() {
    return numbers("finite", Double::isFinite);
  }

  static Rule positive() {
    return numbers("positive and finite", value -> value > 0 && value < Double.POSITIVE_INFINITY);
  }

  static Rule between(long low, long high) {
    return numbers(low + " to " + high, value -> value >= low && value <= high);
  }

  static Rule atLeast(long low) {
    return numbers("at least " + low, value -> value >= low);
  }

  static Rule oneOf(String... words) {
    return new Rule(
        words.length == 1 ? words[0] : "one of " + String.join(", ", words),
        Arrays.asList(words)::contains);
  }

  /** The configured names of an enum. */
  static <E> Rule oneOf(E[] constants, Function<E, String> name) {
    return oneOf(Arrays.stream(constants).map(name).toArray(String[]::new));
  }

  /** Names of Sotto's own, or that of a provider on the class path. */
  static Rule builtInOr(Own<?> own) {
    return new Rule(
        "one of " + String.join(", ", own.builtIn()) + ", or the name of " + own.words(),
        value -> own.knows((String) value),
        value -> own.hint((String) value));
  }

  static Rule text(String words, Predicate<String> kept) {
    return new Rule(words, value -> kept.test((String) value));
  }

  static Rule topic(int longest, String... reserved) {
    List<String> taken = List.of(reserved);
    String but = taken.isEmpty() ? "" : ", and none of " + String.join(", ", taken);
    return text(
        "1 to " + longest + " of a-z A-Z 0-9 . _ -" + but,
        name -> name.length() <= longest
            && TOPIC.matcher(name).matches()
            && !name.equals(".")
            && !name.equals("..")
            && !taken.contains(name));
  }

  static Rule modelId() {
    return text(
        "1 to " + LONGEST_MODEL_ID
            + " characters without control characters, blanks or slashes at either end, or two slashes in a row",
        id -> !id.isEmpty()
            && id.length() <= LONGEST_MODEL_ID
            && id.equals(id.strip())
            && !id.startsWith("/")
            && !id.endsWith("/")
            && !id.contains("//")
            && id.chars().noneMatch(Character::isISOControl));
  }

  static Rule notBlank() {
    return text("not blank", value -> !value.isBlank());
  }

  /** A path. A key given in the place of its file's name is refused, and never repeated in a message. */
  static Rule path() {
    return text(
        "the path of a file, not the key itself",
        value -> !value.isBlank() && !looksLikeAKey(value));
  }

  static Rule variable() {
    return text(
        "the name of an environment variable, not the key itself",
        value -> VARIABLE.matcher(value).matches() && !looksLikeAKey(value));
  }

  static boolean looksLikeAKey(String value) {
    return KEY.matcher(value).matches();
  }

  /** A value that user code will read. */
  static Rule parameter() {
    return text(
        "1 to " + LONGEST_PARAMETER + " characters, none of them a control character",
        value -> !value.isEmpty()
            && value.length() <= LONGEST_PARAMETER
            && value.chars().noneMatch(Character::isISOControl));
  }

  static Rule servers() {
    return lists(
        "a list of host:port",
        servers -> !servers.isEmpty()
            && servers.stream()
                .allMatch(server -> Utils.getHost(server) != null
                    && Utils.getPort(server) != null
                    && Utils.getPort(server) >= 1
                    && Utils.getPort(server) <= 65535));
  }

  static Rule listen() {
    return text(
        "host:port, [IPv6]:port or a port of 0 to 65535",
        value -> HttpSettings.parse(value, Optional.empty(), 0).isPresent());
  }

  static Rule items() {
    return lists(
        "a list with at least one item, none of them blank",
        items -> !items.isEmpty() && items.stream().noneMatch(String::isBlank));
  }

  private static Rule lists(String words, Predicate<List<String>> kept) {
    return new Rule(
        words,
        value -> kept.test(
            ((List<?>) value).stream().map(String::valueOf).collect(Collectors.toList())));
  }

  /** A number of rounds, or {@link SottoConfig#ENDLESS}. */
  static Rule horizon() {
    return text(
        "a whole number of at least 1, or " + SottoConfig.ENDLESS, value -> rounds(value) >= 1);
  }

  /** The rounds of a horizon; 0 where it is none. */
  static long rounds(String horizon) {
    if (horizon.equals(SottoConfig.ENDLESS)) {
      return Long.MAX_VALUE;
    }
    try {
      return Long.parseLong(horizon);
    } catch (NumberFormatException noNumber) {
      return 0;
    }
  }
}
