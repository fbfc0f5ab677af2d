package dev.sotto.serdes.record;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A name that people give to one published version of a model, and what it named before. All that a
 * change does to an alias is decided here.
 *
 * @param alias the name
 * @param newest the change in force
 * @param earlier the changes before it, newest first, {@link #HISTORY} at most
 */
public record ModelAlias(String alias, AliasChange newest, List<AliasChange> earlier) {
  /** How many changes are kept beside the one in force. */
  public static final int HISTORY = 20;

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9._-]{0,63}");
  private static final String RULE = "an alias must begin with a small letter and have at most 64"
      + " small letters, digits, dots, dashes and underscores, but was ";

  public ModelAlias {
    requireName(alias);
    earlier = List.copyOf(earlier);
    if (earlier.size() > HISTORY) {
      throw new IllegalArgumentException(
          "earlier must be " + HISTORY + " changes at most, but are " + earlier.size());
    }
    long before = newest.number();
    for (AliasChange each : earlier) {
      if (each.number() >= before) {
        throw new IllegalArgumentException(
            "earlier changes must go down from " + before + ", but there is " + each.number());
      }
      before = each.number();
    }
  }

  /**
   * The name, if it is one.
   *
   * @throws IllegalArgumentException if it breaks the rule
   */
  public static String requireName(String alias) {
    if (!NAME.matcher(alias).matches()) {
      throw new IllegalArgumentException(RULE + "\"" + alias + "\"");
    }
    return alias;
  }

  /** The first change of an alias. */
  public static ModelAlias first(String alias, AliasTarget target, String by, String note) {
    return new ModelAlias(
        alias, new AliasChange(1, Optional.of(target), 0, by, note, -1), List.of());
  }

  /** The alias after it was set to a target. */
  public ModelAlias set(AliasTarget target, String by, String note) {
    return changed(Optional.of(target), 0, by, note);
  }

  /** The alias after it was deleted: it names nothing, and its history stays. */
  public ModelAlias delete(String by, String note) {
    return changed(Optional.empty(), 0, by, note);
  }

  /** The alias after it went back to the target of an earlier change, {@link #back()}. */
  public ModelAlias rollback(AliasChange to, String by, String note) {
    return changed(to.target(), to.number(), by, note);
  }

  private ModelAlias changed(Optional<AliasTarget> to, long restores, String by, String note) {
    List<AliasChange> before = changes().limit(HISTORY).toList();
    return new ModelAlias(
        alias, new AliasChange(newest.number() + 1, to, restores, by, note, -1), before);
  }

  /** What the alias names; empty where it was deleted. */
  public Optional<AliasTarget> target() {
    return newest.target();
  }

  /** All changes that are known, newest first. */
  public Stream<AliasChange> changes() {
    return Stream.concat(Stream.of(newest), earlier.stream());
  }

  /**
   * Where a rollback goes: the newest change before the one that chose the present target, that
   * chose another target itself. Several rollbacks one after the other go back step by step.
   */
  public Optional<AliasChange> back() {
    return earlier.stream()
        .filter(each -> each.number() < newest.origin() && !each.isRollback())
        .filter(each -> each.target().isPresent() && !each.target().equals(newest.target()))
        .findFirst();
  }

  /** Whether a rollback left this target behind, as far as the history knows. */
  public boolean isAbandoned(AliasTarget target) {
    List<AliasChange> all = new ArrayList<>(changes().toList());
    return all.stream()
        .filter(AliasChange::isRollback)
        .anyMatch(rollback -> all.stream()
            .filter(each -> each.number() > rollback.restores())
            .filter(each -> each.number() < rollback.number())
            .anyMatch(each -> each.target().equals(Optional.of(target))));
  }

  /** The same alias with the time of its newest record. */
  public ModelAlias at(long recordTime) {
    return new ModelAlias(alias, newest.at(recordTime), earlier);
  }

  /** The key of its records. */
  public byte[] key() {
    return alias.getBytes(StandardCharsets.UTF_8);
  }
}
