package dev.sotto.app.init;

import dev.sotto.config.key.ConfigText;
import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.serdes.feature.NumberComma;
import dev.sotto.serdes.feature.TextNumber;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The fields of a sample, in the order in which they were added. Where that order follows from the
 * records, which may lack fields, {@link #sort} takes it away.
 */
final class Sample {
  private static final int MOST_FIELDS = 2000;
  private static final int MANY = 100; // records, among which a class of one is odd

  private final boolean isPublic;
  private final Map<List<String>, SampleField> fields = new LinkedHashMap<>();
  private long read;
  private long unreadable;
  private String firstFault = "";
  private final List<String> remarks = new ArrayList<>();

  /**
   * Without fields yet.
   *
   * @param isPublic whether somebody has said that the values are public or made up; otherwise none
   *     is kept
   */
  Sample(boolean isPublic) {
    this.isPublic = isPublic;
  }

  /**
   * The field with these names.
   *
   * @throws SottoException where there are more than a configuration could list
   */
  SampleField field(List<String> names) {
    SampleField known = fields.get(names);
    if (known != null) {
      known.in(read);
      return known;
    }
    if (fields.size() >= MOST_FIELDS) {
      throw new SottoException(
          FailureKind.USAGE,
          "the sample must have at most " + MOST_FIELDS + " fields, but has more; where names of"
              + " fields are values themselves, such as ids of users, write them as values");
    }
    SampleField field = new SampleField(names, isPublic);
    field.in(read);
    fields.put(field.names(), field);
    return field;
  }

  /**
   * Why a person must look at a field of a private sample before it is published: its name or its
   * type may be that of one record. Empty where it is that of all.
   */
  Optional<String> doubt(SampleField field) {
    return isPublic ? Optional.empty() : field.doubt(read - unreadable);
  }

  /**
   * What is to be known of fields whose records do not agree, in one sentence each. For inside the
   * trust boundary: it counts records.
   *
   * @param label path of the label, which is no feature; null where it is not stated
   * @param unit path of the unit's id, which may be text or a number; as well
   */
  List<String> notes(String label, String unit) {
    List<String> notes = new ArrayList<>();
    notes.addAll(remarks);
    namesHint().ifPresent(notes::add);
    for (SampleField field : fields.values()) {
      if (field.path().equals(label)) {
        labelNote(field).ifPresent(notes::add);
      } else if (!field.path().equals(unit)) {
        note(field).ifPresent(each -> notes.add(ConfigText.scalar(field.path()) + " " + each));
      }
    }
    return notes;
  }

  private Optional<String> note(SampleField field) {
    if (field.hasOpenCommas() && (isPublic || doubt(field).isPresent())) {
      return Optional.of((isPublic ? "is read as text: " : "is left as a comment with a TODO: ")
          + field.found(read - unreadable) + ". State it: events.comma decimal, or thousands");
    }
    if (doubt(field).isPresent()) {
      return Optional.of("is left as a comment with a TODO: " + field.found(read - unreadable)
          + ". A configuration is published, and few records must not decide what it says");
    }
    Optional<String> out = FieldHints.unreadable(field).isPresent()
        ? Optional.empty()
        : FieldHints.noFeatureByValues(field).map(why -> "is left out, as a comment says: " + why);
    Optional<String> look =
        FieldHints.noFeatureByName(field).isPresent() ? Optional.empty() : field.look();
    if (look.isPresent() || out.isPresent()) {
      return out.isPresent() && look.isPresent()
          ? Optional.of(out.get() + ". It " + look.get())
          : look.or(() -> out);
    }
    return field.isOfSeveralTypes()
        ? Optional.of("has values of several types, " + field.kinds()
            + (field.type().isCategory()
                ? ", whose texts are hashed"
                : ": records with the wrong one become dead letters (WRONG_TYPE)")
            + (field.hasOpenCommas()
                ? "; " + field.found(read - unreadable) + " (events.comma)"
                : ""))
        : Optional.empty();
  }

  private Optional<String> labelNote(SampleField label) {
    String name = ConfigText.scalar(label.path());
    if (label.isConstant()) {
      return Optional.of(name + " is the label, and has one value only: there is nothing to learn");
    }
    if (label.hasOpenCommas()) {
      return Optional.of(name + " is the label, and has numbers with commas: "
          + label.found(read - unreadable) + ". State it: events.comma decimal, or thousands");
    }
    Optional<LabelProposal> proposal = LabelProposal.ofValues(label, false);
    boolean proposed = proposal.isPresent();
    List<String> single = proposal
        .filter(each -> each.settings().containsKey(ObjectiveSettings.LABEL_NAMES))
        .map(each -> label.statistics().get().once())
        .orElse(List.of());
    if (!single.isEmpty() && read - unreadable >= MANY) {
      return Optional.of(name + " is the label, and has classes of one record each: "
          + single.stream().map(ConfigText::scalar).collect(Collectors.joining(", "))
          + ". Where one is misspelt, correct it: label.names and loss follow from the classes");
    }
    if (!proposed && label.look().isPresent()) {
      return Optional.of(name + " is the label, and " + label.look().get());
    }
    if (!proposed && label.type().isCategory() && label.statistics().isPresent()) {
      return Optional.of(String.format(
          Locale.ROOT,
          "%s is the label, and has %,d different texts, too many for classes",
          name,
          label.statistics().get().distinct()));
    }
    return label.isOfSeveralTypes() && !proposed
        ? Optional.of(name + " has values of several types, " + label.kinds()
            + ": records with the wrong one become dead letters (WRONG_TYPE)")
        : Optional.empty();
  }

  /** What its names look like, where no names may stand there; empty where they are names. */
  Optional<String> namesHint() {
    List<SampleField> columns =
        fields.values().stream().filter(SampleField::isNamed).toList();
    TextNumber number = new TextNumber(NumberComma.NONE);
    if (columns.size() == 1 && columns.get(0).path().matches(".*[^\\p{L}\\p{N}_ .-].*|.* .*")) {
      return Optional.of("there is one column only: between columns must stand commas,"
          + " semicolons, tabs or |");
    }
    return columns.size() > 1
            && 2 * columns.stream().filter(each -> number.read(each.path())).count()
                >= columns.size()
        ? Optional.of("names of columns are numbers: where the first row holds none, put a row of"
            + " names before it")
        : Optional.empty();
  }

  /** Says something of all of it, for inside the trust boundary. */
  void remark(String sentence) {
    remarks.add(sentence);
  }

  /** Counts a record that was read. */
  void read() {
    read++;
  }

  /** Counts a record that could not be read. */
  void unreadable(String why) {
    read++;
    unreadable++;
    firstFault = unreadable == 1 ? "record " + read + ": " + why : firstFault;
  }

  /**
   * What commas in texts mean, where some of its texts are numbers by one meaning alone, and none
   * stands against it. In a private sample half of the records must say so.
   */
  NumberComma comma() {
    long least = isPublic ? 1 : (read - unreadable + 1) / 2;
    boolean decimal = needs(NumberComma.DECIMAL, least);
    boolean thousands = needs(NumberComma.THOUSANDS, least);
    boolean points = fields.values().stream().anyMatch(SampleField::hasPoints);
    if (thousands) {
      return decimal ? NumberComma.NONE : NumberComma.THOUSANDS;
    }
    return decimal && !points ? NumberComma.DECIMAL : NumberComma.NONE;
  }

  private boolean needs(NumberComma meaning, long least) {
    return fields.values().stream().anyMatch(each -> each.needs(meaning, least));
  }

  /** Reads texts by what commas mean in all of them. */
  void settle() {
    settle(comma());
  }

  /** Reads texts by one meaning of commas. */
  void settle(NumberComma comma) {
    fields.values().forEach(each -> each.settle(comma));
  }

  /** Brings the fields to the order of their paths. */
  void sort() {
    Map<List<String>, SampleField> sorted = new LinkedHashMap<>();
    fields.entrySet().stream()
        .sorted(Comparator.comparing(each -> each.getValue().path()))
        .forEach(each -> sorted.put(each.getKey(), each.getValue()));
    fields.clear();
    fields.putAll(sorted);
  }

  Collection<SampleField> fields() {
    return fields.values();
  }

  /** The field of a path. */
  Optional<SampleField> at(String path) {
    return fields.values().stream().filter(each -> each.path().equals(path)).findFirst();
  }

  /** The paths of all fields. */
  List<String> paths() {
    List<String> paths = new ArrayList<>();
    fields.values().forEach(each -> paths.add(each.path()));
    return paths;
  }

  boolean isPublic() {
    return isPublic;
  }

  /** Records that were read, those that could not be among them. */
  long records() {
    return read;
  }

  /** Records that could not be read. */
  long unreadableRecords() {
    return unreadable;
  }

  /** Which record was the first that could not be read, and why; empty where there is none. */
  String firstFault() {
    return firstFault;
  }
}
