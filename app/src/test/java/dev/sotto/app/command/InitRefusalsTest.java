package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What init refuses: by code and word, and without a file. */
class InitRefusalsTest extends InitTestBase {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "init | 2 | give a sample file, --topic or --schema",
        "init shop.csv --topic t | 2 | exclude each other",
        "init shop.csv --rows 0 | 2 | --rows must be at least 1, but was 0",
        "init shop.csv --app-id a/b | 2 | --app-id must be 1 to 180",
        "init shop.csv --unit-key --unit-record | 2 | must not stand together",
        "init shop.csv --label bougt | 2 | but was bougt; did you mean bought?; its fields",
        "init shop.csv --unit nobody | 2 | --unit must be a field of shop.csv",
        "init shop.csv --unit age --label age | 2 | must be two fields",
        "init visits.jsonl --label tags | 2 | of tags is known: a list, a map or bytes",
        "init visits.jsonl --unit clicked | 2 | clicked is true or false",
        "init a.libsvm --label y | 2 | ready-made examples",
        "init shop.csv --schema visit.avsc | 2 | must stand alone or with Avro records",
        "init --schema shop.csv | 2 | cannot be read",
        "init none.csv | 15 | does not exist",
        "init shop.txt | 15 | --format",
        "init empty.csv | 15 | is empty",
        "init names.csv | 15 | holds no record",
        "init latin.csv | 15 | line 2: it must be UTF-8",
        "init cells.csv | 15 | line 3: the row has 3 cells, but there are 2 names",
        "init array.jsonl | 15 | record 1: it must be a JSON object, but is an array",
        "init pretty.jsonl | 15 | record 1: it must be a whole JSON object (on one line",
        "init nothing.jsonl | 15 | must have records with fields",
        "init users.jsonl | 2 | at most 2000 fields"
      })
  void refusesWithAWordOnWhatToDo(String command, int code, String said) throws IOException {
    flags(List.of(""));
    file("shop.txt", "a");
    file("empty.csv", "");
    file("names.csv", "a,b\n");
    file("cells.csv", "a,b\n1,2\n1,2,3\n");
    file("array.jsonl", "[{\"a\":1}]\n");
    file("pretty.jsonl", "{\n\"a\": 1\n}\n");
    file("nothing.jsonl", "{}\n{}\n");
    Files.write(folder.resolve("latin.csv"), "a,b\n1,é\n".getBytes(StandardCharsets.ISO_8859_1));
    file(
        "users.jsonl",
        Stream.iterate(0, i -> i + 1)
            .limit(2001)
            .map(i -> "\"user" + i + "\":1")
            .collect(Collectors.joining(",", "{", "}")));
    String[] arguments = Stream.concat(
            Stream.of(command.split(" "))
                .map(each -> each.contains(".") ? folder.resolve(each).toString() : each),
            Stream.of("--out", folder.resolve("new.yaml").toString()))
        .toArray(String[]::new);
    assertThat(run(arguments)).as("%s", errors).isEqualTo(code);
    assertThat(errors.toString()).contains(said);
    assertThat(folder.resolve("new.yaml")).doesNotExist();
  }
}
