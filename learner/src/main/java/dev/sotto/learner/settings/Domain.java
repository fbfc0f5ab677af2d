package dev.sotto.learner.settings;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The values that a setting may have.
 *
 * @param type how its text is parsed
 * @param words the rule, as the rest of a sentence that begins with "must be"; empty where any
 *     value will do
 * @param reader the value of a parsed text, or null where that breaks the rule
 * @param writer the value as a text, a number, a truth value or a list of texts
 * @param hint what else to say of a parsed text that breaks the rule
 */
public record Domain<T>(
    Type type,
    String words,
    Function<Object, T> reader,
    Function<T, Object> writer,
    UnaryOperator<String> hint) {
  /** How the text of a setting is parsed. */
  public enum Type {
    TEXT("text", "a text"),
    INT("whole number", "a whole number"),
    LONG("whole number", "a whole number"),
    NUMBER("number", "a number"),
    FLAG("true or false", "true or false"),
    LIST("list", "a list");

    private final String words;
    private final String rule;

    Type(String words, String rule) {
      this.words = words;
      this.rule = rule;
    }

    /** The type in the manual. */
    public String words() {
      return words;
    }

    /** The rest of a sentence that begins with "must be". */
    public String rule() {
      return rule;
    }
  }

  private static <T> Domain<T> plain(Type type, String words, Predicate<T> holds) {
    return new Domain<>(
        type,
        words,
        parsed -> {
          @SuppressWarnings("unchecked") // the type says what was parsed
          T value = (T) parsed;
          return holds.test(value) ? value : null;
        },
        value -> value,
        text -> "");
  }

  /** The same with more to say of texts that break the rule. */
  public Domain<T> withHint(UnaryOperator<String> newHint) {
    return new Domain<>(type, words, reader, writer, newHint);
  }

  /** The value of a parsed text, or null where that breaks the rule. */
  public T read(Object parsed) {
    return reader.apply(parsed);
  }

  /** A value as a text, a number, a truth value or a list of texts. */
  public Object plain(T value) {
    return writer.apply(value);
  }

  /** Texts that keep a rule. */
  public static Domain<String> text(String words, Predicate<String> holds) {
    return plain(Type.TEXT, words, holds);
  }

  /** Any text that is not blank. */
  public static Domain<String> notBlank() {
    return text("not blank", value -> !value.isBlank());
  }

  /** One of some words. */
  public static Domain<String> oneOf(String... words) {
    return choice(words, word -> word);
  }

  /** One of some constants, by their configured names. */
  public static <E> Domain<E> choice(E[] constants, Function<E, String> name) {
    String[] names = Arrays.stream(constants).map(name).toArray(String[]::new);
    return new Domain<>(
        Type.TEXT,
        "one of " + String.join(", ", names),
        text -> Arrays.stream(constants)
            .filter(each -> name.apply(each).equals(text))
            .findFirst()
            .orElse(null),
        name::apply,
        text -> "");
  }

  /** Numbers that keep a rule, which NaN must break. */
  public static Domain<Double> numbers(String words, DoublePredicate holds) {
    return Domain.<Double>plain(Type.NUMBER, words, holds::test);
  }

  /** Finite numbers. */
  public static Domain<Double> finite() {
    return numbers("finite", Double::isFinite);
  }

  /** Positive and finite numbers. */
  public static Domain<Double> positive() {
    return numbers("positive and finite", value -> value > 0 && value < Double.POSITIVE_INFINITY);
  }

  /** Numbers above 0 and below 1. */
  public static Domain<Double> fraction() {
    return numbers("above 0 and below 1", value -> value > 0 && value < 1);
  }

  /** Any whole number. */
  public static Domain<Long> anyWhole() {
    return whole("", value -> true);
  }

  /** Whole numbers of at least a bound. */
  public static Domain<Long> atLeast(long low) {
    return whole("at least " + low, value -> value >= low);
  }

  /** Whole numbers between two bounds, both included. */
  public static Domain<Long> between(long low, long high) {
    return whole(low + " to " + high, value -> value >= low && value <= high);
  }

  private static Domain<Long> whole(String words, LongPredicate holds) {
    return Domain.<Long>plain(Type.LONG, words, holds::test);
  }

  /** Whole numbers of at least a bound that fit into an int. */
  public static Domain<Integer> intAtLeast(int low) {
    return ints("at least " + low, value -> value >= low);
  }

  /** Whole numbers between two bounds, both included. */
  public static Domain<Integer> intBetween(int low, int high) {
    return ints(low + " to " + high, value -> value >= low && value <= high);
  }

  /** Whole numbers that fit into an int and keep a rule. */
  public static Domain<Integer> ints(String words, Predicate<Integer> holds) {
    return plain(Type.INT, words, holds);
  }

  /** True and false. */
  public static Domain<Boolean> flag() {
    return plain(Type.FLAG, "", value -> true);
  }

  /** Lists of texts that keep a rule. */
  public static Domain<List<String>> lists(String words, Predicate<List<String>> holds) {
    return new Domain<>(
        Type.LIST,
        words,
        parsed -> {
          List<String> items =
              ((List<?>) parsed).stream().map(String::valueOf).collect(Collectors.toList());
          return holds.test(items) ? items : null;
        },
        items -> items,
        text -> "");
  }

  /** Lists with at least one item, none of them blank. */
  public static Domain<List<String>> items() {
    return lists(
        "a list with at least one item, none of them blank",
        items -> !items.isEmpty() && items.stream().noneMatch(String::isBlank));
  }
}
