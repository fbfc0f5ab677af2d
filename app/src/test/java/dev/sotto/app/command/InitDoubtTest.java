package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What few records decide is left to a person; a public sample with gaps still learns. */
class InitDoubtTest extends InitTestBase {
  private static final int RECORDS = 400;

  private static String people(String odd) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < RECORDS - 1; i++) {
      text.append("{\"age\":").append(20 + i % 60).append(",\"b\":{\"city\":\"c\"},\"y\":");
      text.append(i % 2 == 0).append("}\n");
    }
    return text + odd + "\n";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'age':30,'b':{'city':'d'},'y':true,'hiv_test':1} | hiv_test | in 1 of 400 records",
        "{'age':30,'b':{'city':'d'},'y':true,'a':{'city':'x'}} | a.city | in 1 of 400 records",
        "{'age':30,'b':{'city':'d'},'y':true,'deep':{'er':[1]}} | deep.er | in 1 of 400 records",
        "{'age':30,'b':{'city':'d'},'y':true,'void':null} | void | in 0 of 400 records"
      })
  void aFieldOfOneRecordChangesNoSetting(String odd, String path, String found) throws IOException {
    String plain = people("{\"age\":30,\"b\":{\"city\":\"d\"},\"y\":true}");
    file("people.jsonl", plain);
    List<String> before = settings(made(folder + "/people.jsonl", "--label", "y"));
    assertThat(errors.toString()).isEmpty();
    file("people.jsonl", people(odd.replace('\'', '"')));
    String yaml = made(folder + "/people.jsonl", "--label", "y");
    assertThat(settings(yaml)).isEqualTo(before);
    assertThat(errors.toString()).contains(path + " is left as a comment with a TODO: " + found);
    assertThat(yaml.lines().filter(line -> line.contains(path)))
        .isNotEmpty()
        .allMatch(line -> line.startsWith("#") && line.contains("TODO: not in all records"));
  }

  /** One record among many takes no column from the others, and nothing says that it is there. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'age':'grown up','b':{'city':'d'} | age | 399 numbers and 1 text: records with the wrong",
        "'age':true,'b':{'city':'d'} | age | 399 numbers and 1 boolean: records with the wrong",
        "'age':[3],'b':{'city':'d'} | age | 399 numbers and 1 list: records with the wrong",
        "'age':'007','b':{'city':'d'} | age | 399 numbers and 1 text: records with the wrong",
        "'age':'1,5','b':{'city':'d'} | age | a comma parts its fraction in 1 texts",
        "'age':30,'b':{'city':7} | b.city | 1 number and 399 texts, whose texts are hashed"
      })
  void aTypeOfOneRecordChangesNoSetting(String odd, String path, String found) throws IOException {
    file("people.jsonl", people("{\"age\":30,\"b\":{\"city\":\"d\"},\"y\":true}"));
    List<String> before = settings(made(folder + "/people.jsonl", "--label", "y"));
    assertThat(errors.toString()).isEmpty();
    file("people.jsonl", people("{" + odd.replace('\'', '"') + ",\"y\":true}"));
    assertThat(settings(made(folder + "/people.jsonl", "--label", "y"))).isEqualTo(before);
    assertThat(errors.toString()).contains(path + " has values of several types, ", found);
  }

  /** Nor does one that lacks a field. */
  @Test
  void aGapOfOneRecordChangesNoSetting() throws IOException {
    file("people.jsonl", people("{\"age\":30,\"b\":{\"city\":\"d\"},\"y\":true}"));
    List<String> before = settings(made(folder + "/people.jsonl", "--label", "y"));
    file("people.jsonl", people("{\"b\":{},\"y\":true}"));
    assertThat(settings(made(folder + "/people.jsonl", "--label", "y"))).isEqualTo(before);
    assertThat(errors.toString()).isEmpty();
  }

  /** A quarter of the records is too many to be passed over. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'old' | categorical.age | 300 numbers and 100 texts",
        "true | categorical.age | 300 numbers and 100 booleans",
        "[3] | age: values of several types | 300 numbers and 100 lists"
      })
  void aTypeThatTooFewRecordsHaveIsLeftToAPerson(String value, String line, String found)
      throws IOException {
    String odd = "{\"age\":" + value.replace('\'', '"') + ",\"y\":true}\n";
    file("people.jsonl", "{\"age\":30,\"y\":false}\n".repeat(300) + odd.repeat(100));
    String yaml = made(folder + "/people.jsonl", "--label", "y");
    assertThat(yaml.lines().filter(each -> each.contains(line)))
        .hasSize(1)
        .allMatch(each -> each.startsWith("#") && each.contains("TODO: values of several types"));
    assertThat(settings(yaml)).noneMatch(each -> each.contains("age"));
    assertThat(errors.toString()).contains("age is left as a comment with a TODO: " + found);
  }

  /** A label is stated: what has another type in some records is set aside, and init says so. */
  @Test
  void saysThatALabelHasSeveralTypes() throws IOException {
    file("people.jsonl", people("{\"age\":30,\"b\":{\"city\":\"d\"},\"y\":\"maybe\"}"));
    made(folder + "/people.jsonl", "--label", "y");
    assertThat(errors.toString())
        .contains("y has values of several types, 399 booleans and 1 text: records with the wrong"
            + " one become dead letters (WRONG_TYPE)");
  }

  /** What a newcomer would not see otherwise: a column that is lost, or is no number. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "x,y | %d%%,1 | --sample-is-public | as records. It has texts that may be meant as numbers in 60 records",
        "x,y | $%d,1 | | x has texts that may be meant as numbers in 60 records",
        "x,y | 2024-01-%02d,1 | | x has dates in 60 records",
        "x,y | name%dx,1 | --sample-is-public | x is left out, as a comment says: nearly as many",
        "x,y | %d%%,1 | --sample-is-public | y is the label, and has one value only",
        "x,y | %d,no | | y is the label, and has one value only",
        "x,y,z | 1,%d | | line 2 has fewer cells than there are names",
        "x,y | 1,$%d | | y is the label, and has texts that may be meant as numbers in 60 records",
        "x,y | 1,c%dx | --sample-is-public | y is the label, and has 60 different texts, too many",
        "x;y | 1;1,0%02d | | y is the label, and has numbers with commas",
        "x;y | 1,0%1$02d;1 | --sample-is-public | State it: events.comma decimal, or thousands",
        "1.5,y | 0.%d,1 | | names of columns are numbers: where the first row holds none"
      })
  void saysWhatIsLostOfAColumn(String names, String row, String flag, String note)
      throws IOException {
    StringBuilder text = new StringBuilder(names + "\n");
    for (int i = 0; i < 60; i++) {
      text.append(String.format(row, 20 + i)).append("\n");
    }
    file("x.csv", text.toString());
    made(Stream.of(folder + "/x.csv", "--label", "y", flag)
        .filter(Objects::nonNull)
        .toArray(String[]::new));
    assertThat(errors.toString()).contains(note);
  }

  @Test
  void readsEverySpellingOfTwoClassesWithoutAList() throws IOException {
    file("x.csv", "x,y\n" + "1,Yes\n2,no\n3,yes\n4,NO\n5,1\n6,False\n".repeat(20));
    assertThat(settings(made(folder + "/x.csv", "--label", "y", "--sample-is-public")))
        .contains("loss: logistic")
        .noneMatch(each -> each.contains("label.classes") || each.contains("label.names"));
    assertThat(errors.toString()).doesNotContain("several types");
  }

  /** A misspelt one makes a third class, and so another loss. */
  @ParameterizedTest
  @CsvSource({"no, yes, yess", "0, 1, 2"})
  void namesAClassOfOneRecord(String zero, String one, String odd) throws IOException {
    String rows = ("1," + zero + "\n2," + one + "\n").repeat(60);
    file("x.csv", "x,y\n" + rows + "1," + odd + "\n");
    made(folder + "/x.csv", "--label", "y", "--sample-is-public");
    assertThat(errors.toString())
        .contains("y is the label, and has classes of one record each: " + odd + ". Where one is");
  }

  /** Three colours, of which two would share one of 16 coordinates. */
  @Test
  void givesFewValuesCoordinatesOfTheirOwn() throws IOException {
    file("x.csv", "c,y\n" + "red,1\ngreen,0\nblue,1\n".repeat(20));
    assertThat(made(folder + "/x.csv", "--label", "y", "--sample-is-public"))
        .contains("features.hash.bits: 5 # 2^5 coordinates for the 3 values of all categories, no");
  }

  @Test
  void aTypeThatFewRecordsGiveIsLeftToAPerson() throws IOException {
    StringBuilder rows = new StringBuilder("rare,half,y\n");
    for (int i = 0; i < 100; i++) {
      rows.append(i == 7 ? "5" : "").append(i % 2 == 0 ? ",a" : ",").append(",1\n");
    }
    file("gaps.csv", rows.toString());
    String yaml = made(folder + "/gaps.csv", "--label", "y");
    assertThat(yaml)
        .contains("# features.numeric.rare: ", "TODO: few records have a value")
        .contains("  half: {field: half, optional: true}");
    assertThat(errors.toString()).contains("rare is left as a comment with a TODO: in 1 of 100");
  }

  @Test
  void saysWhereNoFeatureIsLeft() throws IOException {
    file("ids.csv", "user_id,y\n1,0\n2,1\n");
    made(folder + "/ids.csv", "--label", "y");
    assertThat(errors.toString()).contains("no field is left as a feature");
    String config = file("none.yaml", completed(out.toString())).toString();
    assertThat(run("key", folder + "/noise.key")).isZero();
    assertThat(
            run("run", "-c", config, "--check", "--set", "noise.key.file=" + folder + "/noise.key"))
        .as("%s", errors)
        .isZero();
    assertThat(errors.toString()).contains("there is no feature, so the model is a constant");
    made(folder + "/ids.csv", "--label", "user_id");
    assertThat(errors.toString()).doesNotContain("no field is left");
  }

  /** Name, rows, what the file says of them, and how many are learned from. */
  static Stream<List<String>> gaps() {
    StringBuilder na = new StringBuilder("x,y\n");
    StringBuilder labels = new StringBuilder("x,y\n");
    StringBuilder fractions = new StringBuilder();
    StringBuilder blank = new StringBuilder();
    StringBuilder two = new StringBuilder();
    Random random = Seed.random(3);
    for (int i = 0; i < 360; i++) {
      double x = Math.rint(2000 * random.nextDouble() - 1000) / 1000;
      int y = x > 0 ? 1 : 0;
      na.append(i % 9 == 3 ? "NA" : x).append(',').append(y).append('\n');
      labels.append(x).append(',').append(i % 5 == 0 ? "N/A" : y).append('\n');
      fractions.append("{\"x\":").append(i % 3 == 0 ? "\"-Infinity\"" : x);
      fractions.append(",\"y\":").append(y).append("}\n");
      String name = i % 7 == 0 ? " " : x > 0.3 ? "a" : "b";
      blank.append("{\"x\":" + x + ",\"y\":\"" + name + "\"}\n");
      two.append("{\"x\":" + x + ",\"y\":\"" + (y == 1 ? "yes" : "") + "\"}\n");
    }
    return Stream.of(
        List.of("na.csv", na.toString(), "missing in 40 records (NA and the like)", "360"),
        List.of("label.csv", labels.toString(), "two values: 0 and 1", "288"),
        List.of("f.jsonl", fractions.toString(), "with gaps: 240 numbers and 120 texts", "240"),
        List.of("blank.jsonl", blank.toString(), "label.names: [a, b]", "308"),
        List.of("two.jsonl", two.toString(), "label.classes: [yes]", "360"));
  }

  @ParameterizedTest
  @MethodSource("gaps")
  void makesOfAPublicSampleWhatPassesItsOwnCheckAndLearns(List<String> sample) throws IOException {
    String data = file(sample.get(0), sample.get(1)).toString();
    String config = folder.resolve("made.yaml").toString();
    String key = folder.resolve("noise.key").toString();
    assertThat(run(
            "init",
            data,
            "--sample-is-public",
            "--label",
            "y",
            "--out",
            config,
            "--noise-key-file",
            key))
        .as("%s", errors)
        .isZero();
    assertThat(Path.of(config)).content().contains(sample.get(2));
    assertThat(run("run", "-c", config, "--check")).as("%s", errors).isZero();
    assertThat(run("replay", data, "-c", config, "--set", "privacy.epsilon=100"))
        .as("%s", errors)
        .isZero();
    assertThat(out.toString()).containsPattern("scored +" + sample.get(3) + "\n");
  }

  @ParameterizedTest
  @CsvSource({"income", "' income'"})
  void saysThatANameHasABlank(String label) throws IOException {
    file("adult.jsonl", "{\"age\":67,\" income\":\"a\"}\n{\"age\":29,\" income\":\"b\"}\n");
    assertThat(run("init", folder + "/adult.jsonl", "--out", "-", "--label", label))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString())
        .contains("it begins or ends with a blank", "take the blanks out of the name")
        .doesNotContain("did you mean");
  }

  /** Registries hold what others have written: defaults of another type, names with dashes. */
  @Test
  void takesSchemasAsRegistriesHoldThem() throws IOException {
    file("e.avsc", """
        {"type": "record", "name": "E", "fields": [
          {"name": "qty", "type": ["null", "int"], "default": 1},
          {"name": "unit-price", "type": "int", "default": "no"}]}
        """);
    assertThat(made("--schema", folder + "/e.avsc"))
        .contains("  qty: {field: qty, optional: true}", "{field: unit-price");
    file("cut.avsc", "{\"type\": ");
    assertThat(run("init", "--schema", folder + "/cut.avsc", "--out", "-")).isEqualTo(2);
    assertThat(errors.toString())
        .contains("cut.avsc cannot be read: Unexpected end-of-input")
        .doesNotContain("REDACTED", "com.fasterxml");
  }

  @Test
  void namesTypesOfAvroThatNoFeatureCanRead() throws IOException {
    file("e.avsc", """
        {"type": "record", "name": "E", "fields": [
          {"name": "price", "type": {"type": "bytes", "logicalType": "decimal",
            "precision": 10, "scale": 2}},
          {"name": "fee", "type": ["null", {"type": "fixed", "name": "F", "size": 8,
            "logicalType": "decimal", "precision": 10}]},
          {"name": "raw", "type": "bytes"}, {"name": "qty", "type": "int"},
          {"name": "attributes", "type": {"type": "map", "values": "string"}}]}
        """);
    assertThat(made("--schema", folder + "/e.avsc"))
        .contains("#   price: a decimal, whose bytes no feature can read; write a double")
        .contains("#   fee: a decimal, ", "#   raw: bytes, ", "#   attributes: a map; ")
        .contains("  qty: {field: qty}");
  }
}
