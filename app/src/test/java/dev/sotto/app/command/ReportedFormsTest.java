package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How other programs write numbers, tables and two classes: each gives one model, or a word. */
class ReportedFormsTest extends ReportedCases {
  private static String exponent(double x) {
    return Math.round(1000 * x) + "E-03";
  }

  private static String zeros(double x) {
    return String.format(Locale.ROOT, "%+09.3f", x);
  }

  private static String digits(double x) {
    return plain(x) + "00000000000000001";
  }

  static Stream<Arguments> forms() {
    DoubleFunction<String> plain = ReportedCases::plain;
    return Stream.of(
        same("exponents", NUMBER, TRUTH, Form.csv("x,y", ReportedFormsTest::exponent, "0", "1")),
        same("zeros", NUMBER, TRUTH, Form.csv("x,y", ReportedFormsTest::zeros, "00", "01")),
        same("many digits", NUMBER, TRUTH, Form.csv("x,y", ReportedFormsTest::digits, "0", "1.")),
        same("tabs", NUMBER, TRUTH, Form.csv("x\ty", plain, "0", "1")),
        same("line ends of two bytes", NUMBER, TRUTH, Form.csv("x,y\r", plain, "0\r", "1\r")),
        same("byte order mark", NUMBER, TRUTH, Form.csv("\uFEFFx,y", plain, "0", "1")),
        same(
            "cells in quotes",
            NUMBER,
            TRUTH,
            Form.csv("\"x\",\"y\"", ReportedCases::quoted, "\"0\"", "\"1\"")),
        same("labels of a table of numbers", NUMBER, TRUTH, Form.csv("x,y", plain, "0.0", "1.0")),
        same("labels with signs", NUMBER, TRUTH, Form.csv("x,y", plain, "-1.0", "+1")),
        same("letters", NUMBER, TRUTH, Form.json(plain, "\"N\"", "\"y\"")),
        same("switches", NUMBER, TRUTH, Form.csv("x,y", plain, "Off", "ON")),
        same("words in JSON", NUMBER, TRUTH, Form.json(plain, "\" False\"", "\"True \"")),
        same("a number or a boolean", NUMBER, TRUTH, Form.json(plain, "false", "1e0")),
        same(
            "a class that is a boolean with blanks",
            NUMBER + "label.classes: [true]\n",
            Form.json(plain, "false", "true"),
            Form.csv("x, y", plain, " False", " True")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("forms")
  void givesTheModelOfThePlainForm(String name, String yaml, Form truth, Form form)
      throws IOException {
    requireModelOfThePlainForm(name, yaml, truth, form);
  }

  static Stream<Arguments> refused() {
    DoubleFunction<String> plain = ReportedCases::plain;
    String labels =
        "480 records could not be used since their label means nothing here, the first ";
    return Stream.of(
        Arguments.of(Form.csv("x,y", plain, "neg", "pos"), labels),
        Arguments.of(Form.json(plain, "\"negative\"", "\"positive\""), labels),
        Arguments.of(Form.csv("x,y", plain, "2", "3"), labels),
        Arguments.of(
            Form.csv("x,y", x -> "0x1p-1", "0", "1"), "WRONG_TYPE 480 (field \"x\" must be"),
        Arguments.of(Form.csv("x,y", x -> "TRUE", "0", "1"), "WRONG_TYPE 480 (field \"x\" must be"),
        Arguments.of(
            Form.csv("x,y", x -> "1'234", "0", "1"), "WRONG_TYPE 480 (field \"x\" must be"),
        Arguments.of(
            Form.csv("x,y", x -> "\"\"", "0", "1"), "MISSING_FIELD 480 (field \"x\" must be"),
        Arguments.of(Form.csv("x,y", x -> "  ", "0", "1"), "is a blank text"),
        Arguments.of(Form.csv("x,y", x -> "inf", "0", "1"), "NOT_FINITE 480 (field \"x\" must be"),
        Arguments.of(Form.csv("x:y", x -> "0:1", "", ""), "the row has 2 cells"),
        Arguments.of(
            new Form(
                "events.jsonl", "\u0000\u0000\u0000\u0000\u0007{}\n", x -> "[1]", TRUTH.labels()),
            "UNREADABLE 1 (it begins with a byte 0 and an id of 4 bytes"));
  }

  /** Where nothing can be used, the reason is named, and the end is no success. */
  @ParameterizedTest
  @MethodSource("refused")
  void namesWhatCannotBeUsed(Form form, String said) throws IOException {
    Path config = Files.writeString(folder.resolve("sotto.yaml"), YAML + NUMBER);
    Path events = Files.writeString(folder.resolve(form.name()), form.text());
    assertThat(run("replay", events.toString(), "-c", config.toString(), "--throwaway-key"))
        .isEqualTo(ExitCode.RECORDING.code());
    assertThat(errors.toString()).contains(said);
  }
}
