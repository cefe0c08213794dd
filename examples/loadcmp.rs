#![allow(warnings)]
use overfold::{diag::*, dialect, files::*, load, syntax::*};
fn walk(dir:&std::path::Path, rel:&str, out:&mut Vec<SourceFile>){
  for e in std::fs::read_dir(dir).unwrap(){ let e=e.unwrap(); let n=e.file_name().into_string().unwrap(); let r=if rel.is_empty(){n.clone()}else{format!("{rel}/{n}")};
    if e.path().is_dir(){walk(&e.path(),&r,out)}else{ out.push(SourceFile{path:ModulePath::parse(&r).unwrap(),bytes:std::fs::read(e.path()).unwrap().into()}) } }
}
fn main(){
  for line in std::io::stdin().lines(){ let line=line.unwrap(); let (dir,ver)=line.split_once(' ').unwrap();
    let mut fs=vec![]; walk(std::path::Path::new(dir),"",&mut fs);
    let set=FileSet::new(fs,vec![]);
    let d=dialect::find("terraform",Some(ver)).unwrap();
    let forest=Forest::with_grammar(SyntaxLimits::default(), d.grammar()); let mut out=Diagnostics::new();
    let l=load::load(&set,"",d,&forest,&mut out);
    if std::env::var("DUMP").is_ok(){ println!("{:#?}",l.base.elements); }
    if !l.overrides.iter().any(|o|!o.elements.is_empty()) {
    load::settle(&l.base,&l.experiments,d,&mut out);}
    println!("CASE {dir}");
    for x in out.iter(){ if x.origin!=Origin::Tool {continue}
      let sev=match x.severity{Severity::Error=>"error",Severity::Warning=>"warning",_=>"info"};
      match x.span{ None=>println!("{sev}|{}|-",x.summary), Some(s)=>{ let r=forest.sources.range(s).widened(); println!("{sev}|{}|{} {}:{}:{}-{}:{}:{}",x.summary,forest.sources.name(s.source),r.start.line,r.start.column,r.start.byte,r.end.line,r.end.column,r.end.byte)} } }
  }
}
