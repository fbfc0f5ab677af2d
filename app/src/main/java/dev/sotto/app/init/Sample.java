package dev.sotto.app.init;

import dev.sotto.config.key.ConfigText;
import dev.sotto.serdes.feature.NumberComma;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The fields of a sample, in the order in which they were added. Where that order follows from the
 * records, which may lack fields, {@link #sort} takes it away.
 */
final class Sample {
  private static final int MOST_FIELDS = 2000;

  private final boolean isPublic;
  private final Map<List<String>, SampleField> fields = new LinkedHashMap<>();
  private long read;
  private long unreadable;
  private String firstFault = "";

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
    for (SampleField field : fields.values()) {
      boolean feature = !field.path().equals(label);
      if (field.path().equals(unit)) {
        continue;
      }
      String name = ConfigText.scalar(field.path());
      if (feature && doubt(field).isPresent()) {
        notes.add(name + " is left as a comment with a TODO: "
            + field.found(read - unreadable)
            + ". A configuration is published, and few records must not decide what it says");
      } else if (field.isOfSeveralTypes()) {
        notes.add(name + " has values of several types, " + field.kinds()
            + (field.type().isCategory() && feature
                ? ", whose texts are hashed"
                : ": records with the wrong one become dead letters (WRONG_TYPE)"));
      }
    }
    return notes;
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
    NumberComma comma = comma();
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
