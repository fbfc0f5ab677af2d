package dev.sotto.learner.settings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The declaration of one setting. It is declared once, beside the component that reads it; the
 * configuration, its checks and the manual follow from the declaration. As text it is its name.
 *
 * @param name in configurations; with {@link #FREE} in it, a family of settings that differ in that
 *     part
 * @param domain the values that it may have
 * @param sentence what it means, for the manual
 * @param standard its default, or null for none
 * @param required whether it must be given where it applies
 * @param dependence on other settings
 */
public record ConfigKey<T>(
    String name,
    Domain<T> domain,
    String sentence,
    T standard,
    boolean required,
    Dependence dependence) {
  /** Stands for the free part in the name of a family. */
  public static final String FREE = "<name>";

  /** A setting that must be given. */
  public static <T> ConfigKey<T> of(String name, Domain<T> domain, String sentence) {
    return new ConfigKey<>(name, domain, sentence, null, true, Dependence.NONE);
  }

  /** The same with a default. */
  public ConfigKey<T> orElse(T value) {
    return new ConfigKey<>(name, domain, sentence, value, false, dependence);
  }

  /** The same without need to be given, and without a default. */
  public ConfigKey<T> optional() {
    return orElse(null);
  }

  /** The same, only where another setting has one of these values. */
  @SafeVarargs
  @SuppressWarnings("varargs")
  public final <C> ConfigKey<T> onlyWith(ConfigKey<C> other, C... values) {
    return onlyWith(Condition.isOneOf(other, values));
  }

  /** The same, only where a condition holds too; it is named before those that were there. */
  public ConfigKey<T> onlyWith(Condition<?> condition) {
    List<Condition<?>> all = new ArrayList<>(List.of(condition));
    all.addAll(conditions());
    return with(new Dependence(all, uses()));
  }

  /**
   * The same, which means something only where all these conditions hold. It keeps its default
   * where they do not, but is not shown; who reads it refuses it there, in words of their own.
   * Called again, it is where those of one call hold.
   */
  public ConfigKey<T> usedWith(Condition<?>... together) {
    List<List<Condition<?>>> all = new ArrayList<>(uses());
    all.add(List.of(together));
    return with(new Dependence(conditions(), all));
  }

  /** The same, used wherever it applies. */
  public ConfigKey<T> alwaysUsed() {
    return with(new Dependence(conditions(), List.of()));
  }

  private ConfigKey<T> with(Dependence other) {
    return new ConfigKey<>(name, domain, sentence, standard, required, other);
  }

  /** Conditions on other settings; it applies only where all of them hold. */
  public List<Condition<?>> conditions() {
    return dependence.conditions();
  }

  /** {@link Dependence#uses}. */
  public List<List<Condition<?>>> uses() {
    return dependence.uses();
  }

  /** Whether the name stands for many. */
  public boolean isFamily() {
    return name.contains(FREE);
  }

  /** What stands before the free part of a family's name, with its dot. */
  public String head() {
    return name.substring(0, name.indexOf(FREE));
  }

  /** What stands behind the free part of a family's name, with its dot, or nothing. */
  public String tail() {
    return name.substring(name.indexOf(FREE) + FREE.length());
  }

  /**
   * The free part of a name in this family, which may have dots in it; null where it is not in it.
   */
  public String freePart(String key) {
    boolean fits = key.startsWith(head())
        && key.endsWith(tail())
        && key.length() > head().length() + tail().length();
    return fits ? key.substring(head().length(), key.length() - tail().length()) : null;
  }

  /** The setting of this family with this free part. */
  public ConfigKey<T> named(String part) {
    return new ConfigKey<>(
        name.replace(FREE, part), domain, sentence, standard, required, dependence);
  }

  @Override
  public String toString() {
    return name;
  }

  /**
   * On which other settings a setting depends.
   *
   * @param conditions all of which hold where it applies
   * @param uses where it applies, with what it means something: where all the conditions of one of
   *     these lists hold; where there are no lists, always
   */
  public record Dependence(List<Condition<?>> conditions, List<List<Condition<?>>> uses) {
    static final Dependence NONE = new Dependence(List.of(), List.of());

    public Dependence {
      conditions = List.copyOf(conditions);
      uses = List.copyOf(uses);
    }
  }

  /**
   * A condition on the value of another setting.
   *
   * @param holds of its value; null where it has none, which {@link #onlyWith} does not ask
   * @param words what these are, behind the name of the other one
   */
  public record Condition<C>(ConfigKey<C> on, Predicate<C> holds, String words) {
    /** The other one has one of these values. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <C> Condition<C> isOneOf(ConfigKey<C> on, C... values) {
      String words = Arrays.stream(values)
          .map(value -> String.valueOf(on.domain().plain(value)))
          .sorted()
          .collect(Collectors.joining(" or "));
      return new Condition<>(on, Arrays.asList(values)::contains, words);
    }

    /** Either of two conditions on one setting. */
    public Condition<C> or(Condition<C> other) {
      return new Condition<>(on, holds.or(other.holds), words + " or " + other.words);
    }

    @Override
    public String toString() {
      return on + " " + words;
    }
  }
}
